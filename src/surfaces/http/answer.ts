/** What a route answers: a value. How it is written to the socket is the server's business. */
import type { ProblemAnswer } from "./problem.ts";

export type Headers = Readonly<Record<string, string>>;

export interface JsonAnswer {
  readonly kind: "json";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers | undefined;
}

/** Text or bytes that are ready to be sent. */
export interface ReadyAnswer {
  readonly kind: "ready";
  readonly status: number;
  readonly type: string;
  readonly bytes: string | Uint8Array;
  readonly headers: Headers | undefined;
  /** Only the headers without which nobody could read it: for our own script, never for a browser. */
  readonly isBare?: boolean;
}

/** Written piece by piece: events, exports. The connection ends when `write` is done. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly status: number;
  readonly type: string;
  readonly write: (out: AnswerStream) => Promise<void>;
  readonly headers: Headers | undefined;
}

export type Answer = JsonAnswer | ReadyAnswer | StreamAnswer | ProblemAnswer;

export interface AnswerStream {
  /** False: wait for `drained` before you write more. What is written after the end goes nowhere. */
  write(piece: string | Uint8Array): boolean;
  /** Resolves when everything was taken, or when the client is gone. */
  drained(): Promise<void>;
  /** What was written and not yet taken by the client. */
  readonly waitingBytes: number;
  /** Aborted when the client is gone, and when the server begins to end. */
  readonly signal: AbortSignal;
}

interface More {
  readonly status?: number;
  readonly headers?: Headers;
}

/** Name the type of the body to have it checked. */
export function json<Body>(body: Body, { status = 200, headers }: More = {}): JsonAnswer {
  return { kind: "json", status, body, headers };
}

export function ready(type: string, bytes: string | Uint8Array, more: More = {}): ReadyAnswer {
  return { kind: "ready", status: more.status ?? 200, type, bytes, headers: more.headers };
}

/** Without headers, for a script that reads byte by byte. */
export function bare(type: string, bytes: string): ReadyAnswer {
  return { kind: "ready", status: 200, type, bytes, headers: undefined, isBare: true };
}

export function stream(
  type: string,
  write: (out: AnswerStream) => Promise<void>,
  { status = 200, headers }: More = {},
): StreamAnswer {
  return { kind: "stream", status, type, write, headers };
}
