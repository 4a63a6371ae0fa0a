/** What a program holds in its hand to run sessions of agents, and what it says when it makes them. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Caller } from "../core/call/call.ts";
import type {
  NewSession,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
} from "../core/ports/sessions.ts";
import type { Gate } from "../gate/gate.ts";
import type { FollowOptions } from "./follow-session.ts";
import type { Runner } from "./runner.ts";
import type { SessionEvent } from "./session-event.ts";
import type { SessionProblem } from "./session-problem.ts";
import type { StartSession } from "./start/start-session.ts";

export interface SessionsOptions {
  readonly runners: readonly Runner[];
  /** For sessions that name none. Default: the first that misses nothing. */
  readonly defaultRunner?: string | undefined;
  /** Default: in memory, gone with the process. */
  readonly store?: SessionStore | undefined;
  /** This process, as the store knows it. */
  readonly process?: string | undefined;
  /** The folders that sessions may work in. Default: the current folder. */
  readonly roots?: readonly string[] | undefined;
  /** The gate with the rules of a folder. Default: the one gate. Closed by whoever gives it. */
  readonly gateFor?: ((session: NewSession) => Promise<GateForFolder>) | undefined;
  /** Turns that run at the same time; others are queued. Default: 20. */
  readonly maxRunning?: number | undefined;
  /** Sessions of one owner that are not idle or ended. Default: 100. */
  readonly maxPerOwner?: number | undefined;
  /** How long an agent that has nothing to do keeps its process. Default: ten minutes. */
  readonly idleMs?: number | undefined;
  readonly cancelGraceMs?: number | undefined;
  /** Makes a work tree of the repository for a session. Undefined: nobody can. */
  readonly makeWorktree?: ((folder: string, sessionId: string) => Promise<string>) | undefined;
  /** Takes it away again, unless somebody's work would be lost. */
  readonly removeWorktree?: ((worktree: string, session: NewSession) => Promise<WorktreeEnd>) | undefined;
  readonly tell?: ((message: string) => void) | undefined;
}

export type GateForFolder =
  | {
      readonly ok: true;
      readonly gate: Gate;
      /** The session is over: what its tools left running ends. */
      readonly endSession?: ((callerId: string, sessionId: string) => Promise<void>) | undefined;
      /** Nobody uses the gate for this session any more. */
      readonly release?: (() => void) | undefined;
    }
  | { readonly ok: false; readonly message: string };

/** What became of a session's work tree. `kept`: it has changes, or could not be removed. */
export interface WorktreeEnd {
  readonly path: string;
  readonly state: "removed" | "kept";
  readonly why?: string | undefined;
}

export type SessionResult = { readonly ok: true; readonly session: SessionRecord } | SessionProblem;

export interface SendMessage {
  readonly text: string;
  /** Into the turn that runs, if it is still this one. */
  readonly steer?: { readonly expectedTurn: number } | undefined;
  /** Also if the session has ended. */
  readonly resume?: boolean | undefined;
  /** The same key is the same message. */
  readonly key?: string | undefined;
}

export interface Sessions extends AsyncDisposable {
  readonly runners: readonly Runner[];
  /** What a session gets that names no runner, where that is set up. */
  readonly defaultRunner: string | undefined;
  start(request: StartSession, by: Caller): Promise<SessionResult & { readonly isNew?: boolean }>;
  get(id: string): Promise<SessionRecord | undefined>;
  list(query?: SessionQuery): Promise<SessionPage>;
  items: SessionStore["items"];
  prompts: SessionStore["prompts"];
  send(id: string, message: SendMessage, by: Caller): Promise<SessionResult>;
  /** All of it, or only this turn. Done already: nothing happens. */
  cancel(id: string, by: string, options?: { readonly turn?: number | undefined }): Promise<SessionResult>;
  /** With its log; cancels it first. */
  remove(id: string, by: string): Promise<SessionResult & { readonly worktree?: WorktreeEnd | undefined }>;
  /** Leaving it changes nothing about the session. */
  events(id: string, options: FollowOptions): AsyncIterable<SessionEvent>;
  /** Cancels the turns that run here and ends the agents. The sessions can be gone on with. */
  close(): Promise<void>;
}
