/**
 * What happens, as it happens: one stream for all tabs of a browser. HTTP/1.1 gives a page six connections, so the tab that holds
 * the lock reads for the others and tells them through a channel.
 */
import type { Connection, Query } from "./connection.ts";
import { isMissing, RequestError } from "./problem.ts";
import { readEvents, type SentEvent } from "./read-events.ts";

export type FeedState = "connecting" | "open" | "lost";

/** What Live looks at; undefined: only what concerns every view. */
export type LiveWish = Readonly<Record<string, string>> | undefined;

export interface Feed {
  readonly state: FeedState;
  listen(hear: (events: readonly SentEvent[]) => void): () => void;
  onState(hear: () => void): () => void;
  /** Which calls this tab wants to see. */
  wish(live: LiveWish): void;
  close(): void;
}

type Message =
  | { readonly type: "events"; readonly events: readonly SentEvent[] }
  | { readonly type: "state"; readonly state: FeedState }
  | { readonly type: "wish"; readonly tab: string; readonly live: LiveWish }
  | { readonly type: "who" };

const everyView = ["approval-request", "approval-answer", "tools-change", "rules-change", "task-cancel"];
const rowsPerSecond = 200;
const [firstPauseMs, longestPauseMs] = [500, 10_000];

export function createFeed(connection: Connection, name: string): Feed {
  const tab = crypto.randomUUID();
  const channel =
    typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(`toolgate.feed.${name}`);
  const [heard, states] = [new Set<(events: readonly SentEvent[]) => void>(), new Set<() => void>()];
  const wishes = new Map<string, LiveWish>();
  const closing = new AbortController();
  let state: FeedState = "connecting";
  let own: LiveWish;
  let leads = false;
  let reopen = () => {};

  const take = (events: readonly SentEvent[]) => {
    for (const hear of heard) hear(events);
  };
  const become = (next: FeedState) => {
    if (state === next) return;
    state = next;
    for (const hear of states) hear();
    if (leads) tell({ type: "state", state });
  };
  const tell = (message: Message) => channel?.postMessage(message);
  const wished = (who: string, live: LiveWish) => {
    const before = JSON.stringify(queryOf(wishes));
    if (live === undefined) wishes.delete(who);
    else wishes.set(who, live);
    if (leads && JSON.stringify(queryOf(wishes)) !== before) reopen();
  };

  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "events" && !leads) take(data.events);
    else if (data.type === "state" && !leads) become(data.state);
    else if (data.type === "wish") wished(data.tab, data.live);
    else if (data.type === "who") {
      if (own !== undefined) tell({ type: "wish", tab, live: own });
      if (leads) tell({ type: "state", state });
    }
  });
  const leave = () => tell({ type: "wish", tab, live: undefined });
  addEventListener("pagehide", leave);
  tell({ type: "who" });

  const lead = async () => {
    if (closing.signal.aborted) return;
    leads = true;
    tell({ type: "who" });
    let [last, pauseMs, canThin]: [string | undefined, number, boolean] = [undefined, firstPauseMs, true];
    while (!closing.signal.aborted) {
      const round = new AbortController();
      const signal = AbortSignal.any([round.signal, closing.signal]);
      let isAsked = false;
      reopen = () => {
        isAsked = true;
        round.abort();
      };
      try {
        const query = queryOf(wishes, canThin);
        const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
        const answer = await connection.open("api/events", { query, headers, signal });
        become("open");
        pauseMs = firstPauseMs;
        await readEvents(answer.body ?? new ReadableStream(), (events) => {
          last = events.findLast(({ id }) => id !== undefined)?.id ?? last;
          take(events);
          tell({ type: "events", events });
        });
      } catch (error) {
        if (error instanceof RequestError && error.code === "bad_request" && canThin) {
          // A server that does not know `rate` refuses it.
          canThin = false;
          continue;
        }
        if (isMissing(error) || (error instanceof RequestError && error.status === 401))
          return become("lost");
      }
      if (isAsked || closing.signal.aborted) continue;
      become("lost");
      await pause(pauseMs * (0.5 + Math.random() / 2), closing.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  // Without locks (a page that is not served from this machine or by https) each tab has a stream of its own.
  if (navigator.locks === undefined || channel === undefined) void lead();
  else navigator.locks.request(`toolgate.feed.${name}`, { signal: closing.signal }, lead).catch(() => {});

  return {
    get state() {
      return state;
    },
    listen(hear) {
      heard.add(hear);
      return () => heard.delete(hear);
    },
    onState(hear) {
      states.add(hear);
      return () => states.delete(hear);
    },
    wish(live) {
      own = live;
      wished(tab, live);
      tell({ type: "wish", tab, live });
    },
    close() {
      leave();
      removeEventListener("pagehide", leave);
      closing.abort();
      channel?.close();
    },
  };
}

/** Tabs that look at different things get everything; each shows only what it asked for. */
function queryOf(wishes: ReadonlyMap<string, LiveWish>, canThin = true): Query {
  if (wishes.size === 0) return { kinds: everyView };
  const different = new Set([...wishes.values()].map((wish) => JSON.stringify(wish)));
  const [only] = wishes.values();
  return { ...(canThin && { rate: rowsPerSecond, ...(different.size === 1 && only) }) };
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
