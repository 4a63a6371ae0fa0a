/** One stream of the server, read until it is stopped: it comes back after it was cut, where it was. */
import type { Connection, Query } from "./connection.ts";
import { RequestError } from "./problem.ts";
import { readEvents, type SentEvent } from "./read-events.ts";

export interface FollowOptions {
  readonly connection: Connection;
  readonly path: string;
  readonly query?: Query | undefined;
  readonly signal: AbortSignal;
  readonly hear: (events: readonly SentEvent[]) => void;
  /** `lost`: it will be tried again. `refused`: it will not. */
  readonly onState?: (state: "open" | "lost" | "refused", error?: unknown) => void;
}

const [firstPauseMs, longestPauseMs] = [500, 10_000];

export async function followEvents(options: FollowOptions): Promise<void> {
  const { connection, path, query, signal, hear, onState = () => {} } = options;
  let last: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    let problem: unknown;
    try {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const answer = await connection.open(path, { query, headers, signal });
      onState("open");
      await readEvents(answer.body ?? new ReadableStream(), (events) => {
        pauseMs = firstPauseMs;
        last = events.findLast(({ id }) => id !== undefined)?.id ?? last;
        hear(events);
      });
    } catch (error) {
      problem = error;
    }
    if (signal.aborted) return;
    if (problem instanceof RequestError && isFinal(problem.status)) return onState("refused", problem);
    onState("lost", problem);
    await pause(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** Too many at once passes; what the request itself lacks does not. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    }
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
