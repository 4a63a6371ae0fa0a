/** Where one client stands in the event log, and what it is sent next. */
import { Buffer } from "node:buffer";
import { type EventLog, type LoggedEvent, toFrame } from "./event-log.ts";
import type { Thinning } from "./thin-events.ts";

export interface PlaceInLog {
  /** The last event that was looked at. */
  readonly seen: number;
  /** False: events are gone that the client should have got. */
  isWhole(): boolean;
  hasNews(): boolean;
  /** What is sent in one go. Undefined: nothing. */
  take(): Buffer | undefined;
  /** Called when there is something for this client. Returns how to stop. */
  onNews(hear: () => void): () => void;
  /** When there is something to tell even if nothing happens. */
  readonly dueInMs: number | undefined;
  leave(): void;
}

export interface Reading {
  readonly log: EventLog;
  readonly wants: (event: LoggedEvent) => boolean;
  /** The last event that the client has seen. */
  readonly after: number;
}

const pieceBytes = 64 * 1024;

/** Only a number is kept, so that a slow client costs no memory. */
export function createPlace({ log, wants, after }: Reading): PlaceInLog {
  let seen = after;
  return {
    get seen() {
      return seen;
    },
    isWhole: () => log.holdsAfter(seen),
    hasNews: () => log.lastSeq > seen,
    take() {
      const frames: Buffer[] = [];
      let size = 0;
      for (const event of log.after(seen)) {
        if (size >= pieceBytes) break;
        seen = event.seq;
        if (!wants(event)) continue;
        frames.push(event.frame);
        size += event.frame.length;
      }
      return frames.length === 0 ? undefined : Buffer.concat(frames);
    },
    onNews: (hear) =>
      log.onAppend((event) => {
        if (wants(event)) hear();
        // Not woken for thousands of calls a second that the client did not ask for, and not behind either.
        else seen = event.seq;
      }),
    dueInMs: undefined,
    leave() {},
  };
}

/** Of one client: refusals that it does not take fast enough. */
const mostBytes = 4 * 1024 * 1024;

/**
 * For a thinned stream. Each event is looked at when it happens: at thousands of calls a second the log holds a few
 * seconds only, and a client that was not served for that long would lose refusals together with what is left out anyway.
 */
export function createThinnedPlace({ log, wants, after }: Reading, thinning: Thinning): PlaceInLog {
  let seen = after;
  let waiting: LoggedEvent[] = [];
  let bytes = 0;
  let isWhole = true;
  const hears = new Set<() => void>();
  const look = (event: LoggedEvent) => {
    seen = event.seq;
    if (!isWhole || !wants(event) || !thinning.passes(event)) return;
    waiting.push(event);
    bytes += event.size;
    if (bytes > mostBytes) {
      isWhole = false;
      waiting = [];
    }
    for (const hear of [...hears]) hear();
  };
  for (const event of log.after(after)) look(event);
  const leave = log.onAppend(look);
  return {
    get seen() {
      return seen;
    },
    isWhole: () => isWhole,
    hasNews: () => waiting.length > 0,
    take() {
      const frames = waiting.map(({ frame }) => frame);
      waiting = [];
      bytes = 0;
      const summary = thinning.takeSummary();
      // With an id: whoever comes back is not told again of what was counted here.
      if (summary !== undefined) frames.push(toFrame(log.idOf(seen), "summary", summary));
      return frames.length === 0 ? undefined : Buffer.concat(frames);
    },
    onNews(hear) {
      hears.add(hear);
      return () => hears.delete(hear);
    },
    get dueInMs() {
      return thinning.dueInMs;
    },
    leave,
  };
}
