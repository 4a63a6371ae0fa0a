/** Limits requests and streams of each caller: one agent cannot crowd out the others. */
import { type ProblemAnswer, problem, secondsOf } from "./problem.ts";
import type { ServerLimits } from "./server-limits.ts";

export interface CallerLimits {
  /** A problem, or how to give the place back. `count`: all of so many requests find room, or none. */
  take(callerId: string, kind: "request" | "stream", count?: number): Place | ProblemAnswer;
  readonly streams: number;
}

export interface Place {
  readonly kind: "place";
  give(): void;
}

/** What was taken later is given back with what was there. */
export function bothPlaces(first: Place | undefined, second: Place): Place {
  return {
    kind: "place",
    give() {
      first?.give();
      second.give();
    },
  };
}

type Limits = Pick<ServerLimits, "maxInFlight" | "maxPerMinute" | "maxStreams">;

export function createCallerLimits(limits: Limits, now: () => number): CallerLimits {
  const { maxInFlight, maxPerMinute, maxStreams } = limits;
  const books = new Map<string, Book>();
  let streams = 0;
  return {
    get streams() {
      return streams;
    },
    take(callerId, kind, count = 1) {
      const at = now();
      let book = books.get(callerId);
      if (book === undefined) {
        if (books.size >= maxBooks) forgetIdle(books, maxPerMinute, at);
        book = { running: 0, streams: 0, tokens: maxPerMinute, at };
        books.set(callerId, book);
      }
      // A bucket that fills evenly: what was not used in the last minute is there, and no more.
      book.tokens = Math.min(maxPerMinute, book.tokens + ((at - book.at) * maxPerMinute) / 60_000);
      book.at = at;
      if (book.tokens < count)
        return tooMany(
          `${maxPerMinute} requests a minute are allowed${ofSeveral(count)}.`,
          ((count - book.tokens) * 60_000) / maxPerMinute,
        );
      if (kind === "stream" && book.streams >= maxStreams)
        return tooMany(`${maxStreams} streams at the same time are allowed.`, 5_000);
      if (kind === "request" && book.running + count > maxInFlight)
        return tooMany(`${maxInFlight} requests at the same time are allowed${ofSeveral(count)}.`, 1_000);
      book.tokens -= count;
      if (kind === "stream") {
        streams++;
        book.streams++;
        return onePlace(() => {
          streams--;
          book.streams--;
        });
      }
      book.running += count;
      return onePlace(() => {
        book.running -= count;
      });
    },
  };
}

interface Book {
  running: number;
  streams: number;
  tokens: number;
  at: number;
}

/** Callers come from tokens that were given out; a team's identity provider may know many. */
const maxBooks = 10_000;

/** Given back once, however often that is said. */
function onePlace(giveBack: () => void): Place {
  let isTaken = true;
  return {
    kind: "place",
    give() {
      if (isTaken) giveBack();
      isTaken = false;
    },
  };
}

/** Only books that say nothing any more are forgotten: forgetting never gives anybody more than the limit. */
function forgetIdle(books: Map<string, Book>, maxPerMinute: number, at: number): void {
  for (const [callerId, book] of books) {
    const isFull = book.tokens + ((at - book.at) * maxPerMinute) / 60_000 >= maxPerMinute;
    if (isFull && book.running === 0 && book.streams === 0) books.delete(callerId);
  }
}

/** Waiting does not help a batch that is too long by itself. */
function ofSeveral(count: number): string {
  return count === 1 ? "" : ", and each message of a batch is one: send fewer together";
}

function tooMany(detail: string, retryAfterMs: number): ProblemAnswer {
  return problem("too_many_requests", detail, {
    hint: "Wait as long as Retry-After says; limits are set under server.limits of the configuration.",
    headers: { "retry-after": String(secondsOf(retryAfterMs)) },
  });
}
