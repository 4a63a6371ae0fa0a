/** What the task tools are given: the session's memory, the gate's mode, people, other agents, skills. */
import type { Caller, Mode, Progress } from "../../../core/call/call.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { SessionState } from "./session-state.ts";

export interface TaskPorts {
  readonly state: SessionState;
  /** Without it the mode can be seen but not changed. */
  readonly modes?: SessionModes;
  /** Without it nobody can be asked. */
  readonly questioner?: Questioner;
  /** Without it no sub-task can be started. A function is asked at every call. */
  readonly spawner?: Spawner | (() => Spawner | undefined);
  /** Folders whose sub-folders hold a SKILL.md each. Of two skills of one name the first counts. */
  readonly skillFolders?: readonly string[] | (() => readonly string[]);
  /** Told when a task is said to be done. */
  readonly onComplete?: (end: TaskEnd) => void;
}

export interface SessionModes {
  /** The gate's own mode of this caller's session, which every later call in it is held to. */
  set(sessionId: string, mode: Mode, callerId: string): void | Promise<void>;
  /** Did a person or a policy let this call end plan mode? Silence is not enough. A text says why not. */
  mayLeavePlan(input: object, context: ToolContext): Promise<true | string>;
}

export interface Question {
  readonly question: string;
  /** A few words over it. */
  readonly header?: string;
  /** Empty: the person answers in their own words. */
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}

export interface QuestionRequest {
  readonly questions: readonly Question[];
  readonly callId: string;
  readonly sessionId: string | undefined;
  readonly caller: string;
}

export interface QuestionAnswer {
  /** Indexes of options. */
  readonly chosen: readonly number[];
  readonly text?: string;
}

/** Somebody who can be asked. A request is safe to show; nothing in an answer is an approval. */
export interface Questioner {
  /** One answer for each question, in their order; `declined` says why there is none. */
  ask(
    request: QuestionRequest,
    context: { readonly signal: AbortSignal },
  ): Promise<{ readonly answers: readonly QuestionAnswer[] } | { readonly declined: string }>;
}

export interface SubTask {
  readonly prompt: string;
  readonly title?: string;
  /** The kind of agent that should do it. */
  readonly agent?: string;
}

/** A sub-task may do what its parent may, no more: whoever runs it keeps caller, roots and mode. */
export interface SpawnRequest extends SubTask {
  readonly parent: {
    readonly callId: string;
    readonly sessionId: string | undefined;
    readonly caller: Caller;
    readonly cwd: string;
    readonly roots: readonly string[];
    readonly mode: Mode;
  };
}

export interface SpawnEnd {
  readonly ok: boolean;
  /** What it found or did, or why it failed. */
  readonly summary: string;
  readonly sessionId?: string;
}

export interface Spawner {
  /** The kinds of agent there are; without it any kind is handed on. */
  agents?(): readonly string[];
  run(
    request: SpawnRequest,
    context: { readonly signal: AbortSignal; readonly progress: (progress: Progress) => void },
  ): Promise<SpawnEnd>;
}

export interface TaskEnd {
  readonly sessionId: string | undefined;
  /** Whose session it is: others may give theirs the same name. */
  readonly caller: string;
  readonly callId: string;
  readonly summary: string;
}
