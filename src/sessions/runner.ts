/** The port behind which agents live: a runner opens one for a session, and hands it prompt after prompt. */
import type { Mode } from "../core/call/call.ts";
import type { AgentProcess, SessionBudget, SessionItem, SessionUsage } from "../core/ports/sessions.ts";
import type { SessionCalls } from "./session-calls.ts";

export interface Runner {
  /** What a session asks for: `chat`, `claude`, `acp`, or a name of the configuration. */
  readonly name: string;
  /** Said in lists: "Claude Agent SDK", "gemini-2.5 over ACP". */
  readonly title: string;
  /** Which tools its agents can use. The first is the default. */
  readonly offers: readonly ("gate" | "agent" | "none")[];
  /** Before a session is accepted: what is missing, and how to get it. Undefined: nothing. */
  readonly explainMissing?: (() => Promise<string | undefined> | string | undefined) | undefined;
  /** Before the first turn, and again after a resume. Throws a RunnerError. */
  open(session: RunnerSession): Promise<Agent>;
}

/** What a runner knows of the session that it works for. */
export interface RunnerSession {
  readonly id: string;
  readonly owner: string;
  readonly cwd: string;
  readonly mode: Mode;
  readonly model: string | undefined;
  /** Of the person who started it; besides what the runner itself says. */
  readonly system: string | undefined;
  readonly offer: "gate" | "agent" | "none";
  readonly budget: SessionBudget;
  /** Every call of the agent goes through these. */
  readonly calls: SessionCalls;
  /** What the agent called its session when it ran before. */
  readonly agentSessionId: string | undefined;
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
  /** The log of the turns before this one, oldest first. */
  history(): Promise<readonly SessionItem[]>;
  /** Durable when it resolves: call it before the agent can do something. */
  keep(facts: {
    readonly agentSessionId?: string;
    readonly agentProcess?: AgentProcess | undefined;
  }): Promise<void>;
  /** For the log of whoever runs this. */
  readonly tell: (message: string) => void;
}

/** A live agent. One turn at a time. */
export interface Agent {
  /** Resolves when the agent is done with the prompt. Rejects with a RunnerError, or when `signal` aborts. */
  turn(turn: Turn): Promise<TurnEnd>;
  /** Ends the process of the agent and makes sure that it is gone. Idempotent. */
  close(): Promise<void>;
}

export interface Turn {
  readonly number: number;
  readonly prompt: string;
  /** Aborts when the turn is cancelled, its budget is spent, or a hook ends the task. */
  readonly signal: AbortSignal;
  readonly log: TurnLog;
  /** Messages that came while the turn ran and are to go into it. Undefined: none waits. */
  takeSteering(): Promise<string | undefined>;
}

/** What a runner tells of a turn while it runs. */
export interface TurnLog {
  /** A new id for an item: its deltas and the whole item share it. */
  newItem(): string;
  /** Text that was added to an item. Not kept: the whole item comes later. */
  delta(itemId: string, text: string): void;
  /** The whole text of the agent's message. */
  message(itemId: string, text: string): Promise<void>;
  /** Something a person should see in the transcript, such as what was left out of the context. */
  note(text: string): Promise<void>;
  usage(added: SessionUsage): Promise<void>;
  /** The model begins to answer: counts toward the budget. Throws a RunnerError when it is spent. */
  beginStep(): void;
}

export interface TurnEnd {
  /** Why the model stopped: `end_turn`, `max_tokens`, `refusal`, ...; in the words of its API. */
  readonly stopReason: string;
}

/** How a turn fails as expected. Anything else that is thrown is a `runner_failed`. */
export class RunnerError extends Error {
  readonly code: RunnerErrorCode;
  /** The same prompt may work later. */
  readonly retryable: boolean;

  constructor(
    code: RunnerErrorCode,
    message: string,
    { retryable = false, cause }: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "RunnerError";
    this.code = code;
    this.retryable = retryable;
  }
}

export type RunnerErrorCode =
  /** The agent, its package or its key is missing. */
  | "runner_missing"
  /** The model refused the request or cannot be reached. */
  | "model_failed"
  | "model_overloaded"
  | "budget_spent"
  /** The agent's process ended by itself. */
  | "agent_died"
  /** The agent does not know the session that it should go on with. */
  | "agent_session_gone"
  /** The folder of the session is gone, or another one is in its place. */
  | "folder_moved"
  /** The agent ran a tool that the gate was not asked about. */
  | "ungated_call"
  | "runner_failed";
