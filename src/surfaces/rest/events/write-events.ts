/** Sends a client the events it has not seen, then each new one, no faster than it takes them. */
import { Buffer } from "node:buffer";
import type { Clock } from "../../../core/ports/ports.ts";
import type { AnswerStream } from "../../http/answer.ts";
import type { EventFeed } from "./event-feed.ts";
import { type LoggedEvent, toFrame } from "./event-log.ts";
import type { Thinning } from "./thin-events.ts";

export interface EventsRequest {
  /** The last one that the client has seen, in an earlier connection. */
  readonly lastEventId: string | undefined;
  readonly wants: (event: LoggedEvent) => boolean;
  /** Undefined: every event is sent. */
  readonly thinning?: Thinning | undefined;
  /** Asked from time to time: a stream must not outlive the token that opened it. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/**
 * Only the client's place in the log is kept, so a slow client costs no memory. A client too far behind
 * is disconnected, and is told `reset` when it comes back.
 */
export async function writeEvents(
  out: AnswerStream,
  { log, limits }: EventFeed,
  { lastEventId, wants, thinning, isStillAllowed }: EventsRequest,
  clock: Clock,
): Promise<void> {
  let seen = begin();
  let allowedAt = clock.monotonic();
  while (!out.signal.aborted && log.holdsAfter(seen)) {
    if (clock.monotonic() - allowedAt >= limits.heartbeatMs) {
      if (!(await isStillAllowed())) return;
      allowedAt = clock.monotonic();
    }
    const { bytes, upTo } = nextPiece(seen);
    seen = upTo;
    if (bytes !== undefined) {
      if (!out.write(bytes)) await out.drained();
      continue;
    }
    const why = await nextEvent();
    if (why === "quiet" && !out.write(heartbeat(seen))) await out.drained();
    // What comes within a moment is sent together.
    if (why === "event" && thinning !== undefined) await pause();
  }

  /** Says first where the client stands, so that it can come back to this place even if nothing happens. */
  function begin(): number {
    const now = log.lastSeq;
    if (lastEventId === undefined) {
      out.write(hello(toFrame(log.idOf(now), "ready", { id: log.idOf(now) })));
      return now;
    }
    const position = log.positionOf(lastEventId);
    if (position.ok) {
      out.write(hello(Buffer.alloc(0)));
      return position.after;
    }
    const { reason } = position;
    const data = { reason, lastEventId: lastEventId.slice(0, 100), id: log.idOf(now) };
    out.write(hello(toFrame(log.idOf(now), "reset", data)));
    return now;
  }

  function nextPiece(after: number): { readonly bytes: Buffer | undefined; readonly upTo: number } {
    const frames: Buffer[] = [];
    let size = 0;
    let upTo = after;
    for (const event of log.after(after)) {
      if (size >= pieceBytes) break;
      upTo = event.seq;
      if (!wants(event) || thinning?.passes(event) === false) continue;
      frames.push(event.frame);
      size += event.frame.length;
    }
    const summary = thinning?.takeSummary();
    if (summary !== undefined) frames.push(toFrame(undefined, "summary", summary));
    return { bytes: frames.length === 0 ? undefined : Buffer.concat(frames), upTo };
  }

  function nextEvent(): Promise<"event" | "quiet" | "summary"> {
    if (log.lastSeq > seen || out.signal.aborted) return Promise.resolve("event");
    return new Promise((resolve) => {
      const done = (why: "event" | "quiet" | "summary") => {
        stopListening();
        stopWaiting();
        out.signal.removeEventListener("abort", onAbort);
        resolve(why);
      };
      const onAbort = () => done("event");
      const stopListening = log.onAppend((event) => {
        if (wants(event)) done("event");
        // Not woken for thousands of calls a second that the client did not ask for, and not behind either.
        else seen = event.seq;
      });
      const due = thinning?.dueInMs ?? Number.POSITIVE_INFINITY;
      const stopWaiting =
        due < limits.heartbeatMs
          ? clock.after(due, () => done("summary"))
          : clock.after(limits.heartbeatMs, () => done("quiet"));
      out.signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => void clock.after(togetherMs, resolve));
  }

  /** Also moves the id on where a filter leaves everything out: whoever comes back later is not behind. */
  function heartbeat(seq: number): string {
    return `: heartbeat\nid: ${log.idOf(seq)}\n\n`;
  }
}

const pieceBytes = 64 * 1024;
const togetherMs = 100;

function hello(first: Buffer): Buffer {
  return Buffer.concat([Buffer.from("retry: 2000\n\n"), first]);
}
