/** Sessions of agents that the gate runs: their state, their prompts, and the log of what happened in them. */
import type { Mode } from "../call/call.ts";
import type { JsonObject } from "../input/json.ts";

export const sessionStates = ["queued", "starting", "running", "waiting", "idle", "ended"] as const;

/** `waiting`: for a person's answer. `idle`: for the next message. */
export type SessionState = (typeof sessionStates)[number];

export const sessionEnds = ["completed", "failed", "cancelled", "lost"] as const;

/** `lost`: the process that ran it died. */
export type SessionEnd = (typeof sessionEnds)[number];

/** A turn is under way or about to be: the session holds its folder. */
export const activeStates: readonly SessionState[] = ["queued", "starting", "running", "waiting"];

/** What the agent of a session is offered. */
export interface SessionTools {
  /** `gate`: tools of the gate. `agent`: the agent's own, each call judged by the gate. `none`: no tools. */
  readonly offer: "gate" | "agent" | "none";
  /** Only tools of these categories. Undefined: of all that are on. */
  readonly categories?: readonly string[] | undefined;
}

/** What ends a turn that goes on for too long. */
export interface SessionBudget {
  /** How often the model may answer before a turn is over. */
  readonly turns?: number | undefined;
  /** Of the whole session, in and out. */
  readonly tokens?: number | undefined;
  /** How long one prompt may be worked on. */
  readonly timeMs?: number | undefined;
}

export interface SessionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A process of the agent, so that it is found again after a crash. */
export interface AgentProcess {
  readonly pid: number;
  /** When it started, in the system's own unit: a later process with the same number is another one. */
  readonly startTicks: number | null;
  /** In the environment of all its children. */
  readonly mark: string;
}

/** What is said once, when a session starts. */
export interface NewSession {
  readonly id: string;
  /** Begins every event id of the session: a cursor of another session leads nowhere. */
  readonly epoch: string;
  /** The caller who started it. */
  readonly owner: string;
  readonly runner: string;
  readonly title: string;
  readonly cwd: string;
  /** The folder whose rules hold: another one than `cwd` in a work tree that was made for the session. */
  readonly project: string;
  /** The real folder that one writing session may use at a time. Undefined: this one only reads. */
  readonly folder: string | undefined;
  /** The work tree that was made for it. */
  readonly worktree: string | undefined;
  readonly mode: Mode;
  readonly model: string | undefined;
  readonly system: string | undefined;
  readonly tools: SessionTools;
  readonly budget: SessionBudget;
  /** Ends after its first turn. */
  readonly single: boolean;
  /** The session whose agent started this one. */
  readonly parent: string | undefined;
  readonly depth: number;
  /** What the owner's calls may use. */
  readonly capabilities: readonly string[];
  /** The same key of the same owner starts no second session. */
  readonly key: string | undefined;
  readonly createdAt: number;
}

/** What changes while it lives. */
export interface SessionFacts {
  readonly state: SessionState;
  /** Set when the state is `ended`. */
  readonly end: SessionEnd | undefined;
  /** Of the last prompt that was taken; 0 before the first. */
  readonly turn: number;
  /** The agent's own name for it, to come back with. */
  readonly agentSessionId: string | undefined;
  readonly agentProcess: AgentProcess | undefined;
  readonly usage: SessionUsage;
  /** Why the last turn failed. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** The process of the store that runs it. Undefined: nobody does now. */
  readonly process: string | undefined;
  /** Somebody wants it to end: all of it, or this turn. */
  readonly cancelAsked: { readonly by: string; readonly turn?: number | undefined } | undefined;
  readonly endedAt: number | undefined;
}

export interface SessionRecord extends NewSession, SessionFacts {
  /** Of the last item of its log. */
  readonly lastSeq: number;
  readonly updatedAt: number;
}

export const sessionItemKinds = [
  "message",
  "tool_use",
  "tool_result",
  "approval",
  "usage",
  "error",
  "completed",
  "cancelled",
] as const;

export type SessionItemKind = (typeof sessionItemKinds)[number];

export interface NewItem {
  readonly kind: SessionItemKind;
  readonly turn: number;
  /** Joins an item with the deltas that came before it. */
  readonly itemId: string;
  readonly body: JsonObject;
}

/** Never changed once it is written. */
export interface SessionItem extends NewItem {
  /** From 1, without gaps. */
  readonly seq: number;
  readonly at: number;
}

export interface NewPrompt {
  readonly id: string;
  readonly text: string;
  /** Who sent it. */
  readonly by: string;
  /** The same key in the same session is the same message. */
  readonly key: string | undefined;
}

export interface PromptRecord extends NewPrompt {
  readonly number: number;
  readonly at: number;
  /** `dropped`: the session ended before somebody took it. */
  readonly state: "queued" | "taken" | "dropped";
  readonly turn: number | undefined;
}

/** What of a session changes, together with what is added to its log. */
export interface SessionChange {
  readonly facts?: Partial<SessionFacts> | undefined;
  readonly items?: readonly NewItem[] | undefined;
  /** Only if this process still runs it. */
  readonly process?: string | undefined;
  /** Only in one of these states. */
  readonly states?: readonly SessionState[] | undefined;
  /** Prompts that nobody has taken are taken no more. */
  readonly dropPrompts?: boolean | undefined;
}

export type SessionChanged =
  | { readonly ok: true; readonly session: SessionRecord; readonly items: readonly SessionItem[] }
  /** `moved`: another process runs it, or its state is another one. */
  | { readonly ok: false; readonly why: "unknown" | "moved"; readonly session?: SessionRecord };

export type SessionCreated =
  | { readonly ok: true; readonly session: SessionRecord; readonly isNew: boolean }
  | { readonly ok: false; readonly why: "folder_busy"; readonly holder: SessionRecord }
  /** The key was used for another request. */
  | { readonly ok: false; readonly why: "key_reused"; readonly session: SessionRecord };

export type PromptQueued =
  | { readonly ok: true; readonly prompt: PromptRecord; readonly session: SessionRecord }
  | { readonly ok: false; readonly why: "unknown" | "ended" | "too_many" | "key_reused" };

export type PromptTaken =
  | {
      readonly ok: true;
      readonly prompt: PromptRecord;
      readonly session: SessionRecord;
      readonly items: readonly SessionItem[];
    }
  | { readonly ok: false; readonly why: "unknown" | "none" | "moved" }
  | { readonly ok: false; readonly why: "folder_busy"; readonly holder: SessionRecord };

export interface SessionQuery {
  readonly owner?: string | undefined;
  readonly states?: readonly SessionState[] | undefined;
  readonly parent?: string | undefined;
  /** Default 50, at most 500. Newest first. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  readonly next: string | undefined;
}

/**
 * Every method is one transaction. Items and prompts are kept before a promise resolves. What must not be
 * stored (secrets) is taken out of texts on the way in.
 */
export interface SessionStore {
  /** With its first prompt; the folder is held from now on. `process`: who will run it. */
  create(session: NewSession, prompt: NewPrompt, process: string): Promise<SessionCreated>;
  get(id: string): Promise<SessionRecord | undefined>;
  list(query?: SessionQuery): Promise<SessionPage>;
  change(id: string, change: SessionChange): Promise<SessionChanged>;
  /** `resume`: also where the session has ended. */
  queuePrompt(
    id: string,
    prompt: NewPrompt,
    options?: { readonly resume?: boolean; readonly maxQueued?: number },
  ): Promise<PromptQueued>;
  /**
   * The oldest that waits, or the one with this id. Once taken it is never given again. By default a turn
   * begins: the session is `running`, the folder is held, its log has the message. `steer`: it goes into the
   * turn that runs.
   */
  takePrompt(
    id: string,
    taker: {
      readonly process: string;
      readonly promptId?: string | undefined;
      readonly steer?: boolean | undefined;
      readonly itemId: string;
    },
  ): Promise<PromptTaken>;
  prompts(id: string): Promise<readonly PromptRecord[]>;
  /** Oldest first, after this number. Default: 500 items, at most 5,000. */
  items(
    id: string,
    page?: { readonly after?: number | undefined; readonly limit?: number | undefined },
  ): Promise<readonly SessionItem[]>;
  /** With its log. Only one that has ended or is idle. */
  remove(id: string): Promise<boolean>;
  /** Sessions of this process that are to be cancelled, or have prompts that wait. */
  asked(process: string): Promise<readonly string[]>;
  /** Sessions that nobody runs and whose agent may still live. */
  leftAgents(): Promise<readonly SessionRecord[]>;
  /** Called soon after a change in any process, sometimes for nothing. Returns how to stop. */
  onChange(listener: () => void): () => void;
}
