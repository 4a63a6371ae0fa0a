/** Sends a client the events it has not seen, then each new one, no faster than it takes them. */
import { Buffer } from "node:buffer";
import type { Clock } from "../../../core/ports/ports.ts";
import type { AnswerStream } from "../../http/answer.ts";
import type { EventFeed } from "./event-feed.ts";
import { type LoggedEvent, toFrame } from "./event-log.ts";
import { createPlace, createThinnedPlace } from "./place-in-log.ts";
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

/** A client too far behind is disconnected, and is told `reset` when it comes back. */
export async function writeEvents(
  out: AnswerStream,
  { log, limits }: EventFeed,
  { lastEventId, wants, thinning, isStillAllowed }: EventsRequest,
  clock: Clock,
): Promise<void> {
  const reading = { log, wants, after: begin() };
  const place = thinning === undefined ? createPlace(reading) : createThinnedPlace(reading, thinning);
  let allowedAt = clock.monotonic();
  try {
    while (!out.signal.aborted && place.isWhole()) {
      if (clock.monotonic() - allowedAt >= limits.heartbeatMs) {
        if (!(await isStillAllowed())) return;
        allowedAt = clock.monotonic();
      }
      const bytes = place.take();
      if (bytes !== undefined) {
        if (!out.write(bytes)) await out.drained();
        continue;
      }
      const why = await nextEvent();
      if (why === "quiet" && !out.write(heartbeat(place.seen))) await out.drained();
      // What comes within a moment is sent together.
      if (why === "event" && thinning !== undefined) await pause();
    }
  } finally {
    place.leave();
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

  function nextEvent(): Promise<"event" | "quiet" | "summary"> {
    if (place.hasNews() || out.signal.aborted) return Promise.resolve("event");
    return new Promise((resolve) => {
      const done = (why: "event" | "quiet" | "summary") => {
        stopListening();
        stopWaiting();
        out.signal.removeEventListener("abort", onEvent);
        resolve(why);
      };
      const onEvent = () => done("event");
      const stopListening = place.onNews(onEvent);
      const due = place.dueInMs ?? Number.POSITIVE_INFINITY;
      const stopWaiting =
        due < limits.heartbeatMs
          ? clock.after(due, () => done("summary"))
          : clock.after(limits.heartbeatMs, () => done("quiet"));
      out.signal.addEventListener("abort", onEvent, { once: true });
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

const togetherMs = 100;

function hello(first: Buffer): Buffer {
  return Buffer.concat([Buffer.from("retry: 2000\n\n"), first]);
}
