/** A call as it comes in from a surface, before anything is known about it. */
import type { Right } from "../ports/tokens.ts";
import type { Cancellable } from "../run/abort.ts";
import type { Approver } from "./approval.ts";
import type { AskingAgent } from "./asking-agent.ts";
import type { Elicit } from "./elicit.ts";

export interface Caller {
  /** Who acts: an agent, a token, a user. Approvals and limits are bound to it. */
  readonly id: string;
  readonly capabilities: readonly string[];
  /**
   * For whom it acts: who started the session of this agent. What rules say about the owner holds for the
   * agent, too.
   */
  readonly owner?: string | undefined;
  /** Only tools of these categories. Undefined: of all that are on. */
  readonly categories?: readonly string[] | undefined;
  /** Those of its token. Undefined: it has none that we know of. */
  readonly rights?: readonly Right[] | undefined;
}

/** `plan` allows reading only. */
export const modes = ["act", "plan"] as const;

export type Mode = (typeof modes)[number];

export function isMode(value: unknown): value is Mode {
  return modes.includes(value as Mode);
}

/**
 * Who decides about a call that an agent runs itself, that nobody can read in advance, and that a rule may or
 * may not concern. `abstain`: the agent's own prompt, which is on.
 */
export type Unsure = "abstain" | "ask" | "deny";

export interface CallContext {
  readonly caller?: Caller | undefined;
  readonly sessionId?: string | undefined;
  /**
   * The model's message that makes this call. When a person denies one of its calls, those that follow in the
   * same turn are refused.
   */
  readonly turnId?: string | undefined;
  /** The model's own id of this tool use; joins hook and gateway in one record. */
  readonly toolUseId?: string | undefined;
  readonly cwd?: string | undefined;
  /** Narrows the gate's workspace roots for this call. */
  readonly roots?: readonly string[] | undefined;
  readonly mode?: Mode | undefined;
  /**
   * The surface knows that planning needs this call and that the call by itself changes nothing, such as the
   * start of an agent's sub-agent whose own calls come here, too: plan mode lets it pass. Rules hold as ever.
   */
  readonly isPlanning?: boolean | undefined;
  /**
   * Only for `check`: the agent has no prompts of its own behind the gate. Where no rule speaks, the gate decides
   * as about its own tools: it approves reading inside of the workspace, and asks about the rest.
   */
  readonly decidesAlone?: boolean | undefined;
  /** Only for `check`: the surface knows who decides where no rule can. Default: ask. */
  readonly unsure?: Unsure | undefined;
  /**
   * False: this call has no order with the other calls of its session, and waits for none of them. HTTP
   * requests that name no session are such calls. Default true.
   */
  readonly inOrder?: boolean | undefined;
  readonly signal?: Cancellable | undefined;
  /** The way in: "library", "cli", "mcp", "rest", "hook". */
  readonly surface?: string | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Who is asked about this call, instead of the gate's approver: the person at the calling client. */
  readonly approver?: Approver | undefined;
  /** Only for `check`: which agent asks. */
  readonly agent?: AskingAgent | undefined;
  /** How the tool may ask the person at the calling client for something. */
  readonly elicit?: Elicit | undefined;
  /** Asked after a person's yes, maybe hours later: could the caller still make this call? Default: yes. */
  readonly isStillAllowed?: (() => boolean | Promise<boolean>) | undefined;
}

export interface CallRequest extends CallContext {
  readonly tool: string;
  readonly input?: unknown;
}

export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
