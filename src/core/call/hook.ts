/** Hooks see a call before it is decided, after it ran, or when it failed. They can narrow, never widen. */

import type { JsonObject } from "../input/json.ts";
import type { Shaped } from "../input/shape.ts";
import type { RuleSource } from "./errors.ts";
import type { hookShape } from "./hook-shape.ts";

type WrittenHook = Shaped<typeof hookShape>;

export type HookType = WrittenHook["type"];

interface HookFacts {
  readonly callId: string;
  /** The tool's name as the caller said it; `toolName` is what it means. */
  readonly calledAs: string;
  readonly toolUseId: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string;
}

export interface PreToolUseEvent extends HookFacts {
  readonly preToolUse: { readonly toolName: string; readonly parameters: JsonObject };
}

export interface PostToolUseEvent extends HookFacts {
  readonly postToolUse: {
    readonly toolName: string;
    readonly parameters: JsonObject;
    readonly result: unknown;
    readonly success: boolean;
    readonly executionTimeMs: number;
  };
}

export interface OnErrorEvent extends HookFacts {
  readonly onError: { readonly toolName: string; readonly error: string };
}

export interface HookAnswer {
  readonly cancel?: boolean;
  readonly wasCancelled?: boolean;
  readonly contextModification?: string;
  readonly errorMessage?: string;
  /** PreToolUse only: a person must approve the call, whatever the policies say; why is the error message. */
  readonly ask?: boolean;
  /** PreToolUse only: the call goes on with this input, validated and routed again. */
  readonly modifiedParams?: unknown;
}

/** Text alone is context; nothing means no objection. */
export type HookReply = HookAnswer | string | undefined | null;

type Answering<Event> = (
  event: Event,
  context: { readonly signal: AbortSignal },
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks may return nothing
) => HookReply | void | Promise<HookReply | void>;

interface HookParts extends Pick<WrittenHook, "toolPatterns" | "timeoutMs" | "failMode" | "isCancellable"> {
  readonly name: string;
  readonly source?: RuleSource;
}

export type Hook =
  | (HookParts & { readonly type: "PreToolUse"; readonly run: Answering<PreToolUseEvent> })
  | (HookParts & { readonly type: "PostToolUse"; readonly run: Answering<PostToolUseEvent> })
  | (HookParts & { readonly type: "OnError"; readonly run: Answering<OnErrorEvent> });

export type HookOf<Type extends HookType> = Extract<Hook, { readonly type: Type }>;

/** A hook that is a program: asked on its standard input, heard on its standard output. */
export interface CommandHook extends HookParts, WrittenHook {}

export function isCommandHook(hook: Hook | CommandHook): hook is CommandHook {
  return typeof hook === "object" && hook !== null && "command" in hook;
}

/** A program as a hook of whoever runs it. `timeoutMs` may be asked for late, when the time left is known. */
export function toHook(hook: CommandHook, run: CommandRun, timeoutMs = () => hook.timeoutMs): Hook {
  const { name, type, toolPatterns, failMode, isCancellable, source } = hook;
  return {
    name,
    type,
    run,
    get timeoutMs() {
      return timeoutMs();
    },
    ...(toolPatterns !== undefined && { toolPatterns }),
    ...(failMode !== undefined && { failMode }),
    ...(isCancellable !== undefined && { isCancellable }),
    ...(source !== undefined && { source }),
  } as Hook;
}

export type HookEvent = PreToolUseEvent | PostToolUseEvent | OnErrorEvent;

export type CommandRun = (event: HookEvent, context: { readonly signal: AbortSignal }) => Promise<HookReply>;
