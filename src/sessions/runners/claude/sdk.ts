/** The Claude Agent SDK as far as we use it: no types of its own, because most installations do not have it. */
import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { isRecord } from "../../../core/input/json.ts";
import { RunnerError } from "../../runner.ts";

export interface Sdk {
  query(request: { readonly prompt: AsyncIterable<UserMessage>; readonly options: SdkOptions }): SdkQuery;
}

export type SdkOptions = Readonly<Record<string, unknown>>;

/** What the agent says, message by message. What is in one is looked at by whoever takes it. */
export interface SdkQuery extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<unknown>;
  close(): void;
}

export type SdkMessage = Readonly<Record<string, unknown>> & { readonly type: string };

export interface UserMessage {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string };
  readonly parent_tool_use_id: null;
  /** By which the agent says when it takes the message. */
  readonly uuid: string;
}

/** How the SDK wants the agent's process to be started. */
export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What it does with the process. */
export interface SpawnedProcess extends EventEmitter {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  kill(signal: NodeJS.Signals): boolean;
}

/** A callback of ours that the agent asks before or after it runs a tool. */
export type HookCallback = (
  input: unknown,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<Readonly<Record<string, unknown>>>;

export function readSdk(module: unknown): Sdk {
  if (isRecord(module) && typeof module.query === "function") return module as unknown as Sdk;
  throw new RunnerError(
    "runner_missing",
    `${sdkPackage} has no function "query": another version is needed.`,
  );
}

export const sdkPackage = "@anthropic-ai/claude-agent-sdk";
