/** Hooks see a call before it is decided, after it ran, or when it failed. They can narrow, never widen. */
import type { RuleSource } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { ToolPattern } from "./tool-pattern.ts";

export type HookType = "PreToolUse" | "PostToolUse" | "OnError";

interface HookFacts {
  readonly callId: string;
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

interface HookParts {
  readonly name: string;
  /** Which tools; all of them if absent. */
  readonly toolPatterns?: ToolPattern;
  readonly timeoutMs?: number;
  /** What a crash, a time-out or nonsense means. `closed` stops the call. */
  readonly failMode?: "closed" | "open";
  /** False: the hook runs to its end even when the call is cancelled. */
  readonly isCancellable?: boolean;
  readonly source?: RuleSource;
}

export type Hook =
  | (HookParts & { readonly type: "PreToolUse"; readonly run: Answering<PreToolUseEvent> })
  | (HookParts & { readonly type: "PostToolUse"; readonly run: Answering<PostToolUseEvent> })
  | (HookParts & { readonly type: "OnError"; readonly run: Answering<OnErrorEvent> });

export type HookOf<Type extends HookType> = Extract<Hook, { readonly type: Type }>;
