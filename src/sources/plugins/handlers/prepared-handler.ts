/** What a plugin's handler becomes when its file is loaded: code to run, and what the gate has to know. */
import type { ToolResult } from "../../../core/call/content.ts";
import type { InputRoles } from "../../../core/input/input-roles.ts";
import type { Permission } from "../../../core/tool/permission.ts";
import type { SandboxChoice } from "../../../core/tool/sandbox-rules.ts";
import type { DerivedValues, ToolContext } from "../../../core/tool/tool.ts";
import type { JudgeAddress } from "../../../safe/net/public-address.ts";
import type { SafeFetch } from "../../../safe/net/safe-fetch.ts";

/** Where a plugin file lies and what it may do there. */
export interface HandlerPlace {
  /** The plugin file, absolute. */
  readonly file: string;
  /** Its folder, absolute: relative paths in the file start here. */
  readonly folder: string;
  /** The user put it there, or trusts whoever did. */
  readonly trusted: boolean;
  /** What the file says; counts only in a trusted place. */
  readonly allowPrivate: boolean;
  /** The variables that the file declares in `env`, with today's values; nothing else of our environment. */
  readonly env: Readonly<Record<string, string>>;
  /** All the names that it declares, set or not. Default: those with a value. */
  readonly declared?: readonly string[];
  /** How commands of this tool are fenced in; asked for each of them. Default: not at all. */
  readonly sandbox?: () => SandboxChoice;
  /** The gate's own state and configuration: no file-read reaches it, no command in a sandbox sees it. */
  readonly hidden?: readonly string[];
  /** Who asks the network. Default: `safeFetch`. */
  readonly fetch?: SafeFetch;
  /** Which addresses are public, before it is asked. Default: those of the internet. */
  readonly judge?: JudgeAddress;
}

/** Why a handler is refused when it is loaded. */
export interface HandlerProblem {
  /** Within the handler: `command`, `url`, `headers.Authorization`. Empty: the handler as a whole. */
  readonly field: string;
  readonly message: string;
}

/** Input that its schema has already taken. */
export type HandlerInput = Readonly<Record<string, unknown>>;

export interface PreparedHandler {
  run(args: HandlerInput, context: ToolContext): Promise<ToolResult>;
  /** What the schema cannot say: a message for the model. The call ends before anybody is asked. */
  validate?(args: HandlerInput): string | undefined;
  /** The command line or the URL that the call will use, for the rules. */
  derive?(args: HandlerInput): DerivedValues | undefined;
  /** Always stated, so that a field's name alone gives it no meaning that the handler does not. */
  readonly roles: InputRoles;
  readonly capabilities: readonly string[];
  /** The least that this handler does; the file may state more, never less. */
  readonly permission: Permission;
  /** How long the handler itself waits; a tool's time-out below it would lose what was already there. */
  readonly timeoutMs: number;
}

/** Problems are a list, a handler is not. */
export type Prepared = PreparedHandler | readonly HandlerProblem[];

export function isPrepared(prepared: Prepared): prepared is PreparedHandler {
  return !Array.isArray(prepared);
}
