/**
 * What happens, as it happens: one stream for all tabs of a browser, and a second one while somebody looks at Live. HTTP/1.1 gives
 * a page six connections, so the tab that holds the lock reads for the others and tells them through a channel.
 */
import type { Connection, Query } from "./connection.ts";
import { followEvents } from "./follow-events.ts";
import type { SentEvent } from "./read-events.ts";

export type FeedState = "connecting" | "open" | "lost";

/** Which calls Live looks at; undefined: none. */
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

/** Every view needs these, whatever Live looks at. */
const bells = ["approval-request", "approval-answer", "tools-change", "rules-change", "task-cancel"];
const calls = ["call-start", "call-end"];
const rowsPerSecond = 200;

export function createFeed(connection: Connection, name: string): Feed {
  const tab = crypto.randomUUID();
  const channel =
    typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(`toolgate.feed.${name}`);
  const heard = new Set<(events: readonly SentEvent[]) => void>();
  const states = new Set<() => void>();
  const wishes = new Map<string, LiveWish>();
  const closing = new AbortController();
  let state: FeedState = "connecting";
  let own: LiveWish;
  let leads = false;
  let live = { wanted: "", stop: new AbortController() };

  const tell = (message: Message) => channel?.postMessage(message);
  const take = (events: readonly SentEvent[]) => {
    for (const hear of heard) hear(events);
  };
  const become = (next: FeedState) => {
    if (state === next) return;
    state = next;
    for (const hear of states) hear();
    if (leads) tell({ type: "state", state });
  };
  const pass = (events: readonly SentEvent[]) => {
    take(events);
    tell({ type: "events", events });
  };
  /** Copied for other tabs only if one of them looks at Live. */
  const passCalls = (events: readonly SentEvent[]) => {
    if (wishes.size > (own === undefined ? 0 : 1)) pass(events);
    else take(events);
  };
  /** Begins, ends or changes the stream of calls. */
  const lookAtCalls = () => {
    const query = queryOf(wishes);
    const wanted = query === undefined ? "" : JSON.stringify(query);
    if (!leads || wanted === live.wanted) return;
    live.stop.abort();
    live = { wanted, stop: new AbortController() };
    const signal = AbortSignal.any([live.stop.signal, closing.signal]);
    if (query !== undefined)
      void followEvents({ connection, path: "api/events", query, signal, hear: passCalls });
  };
  const wished = (who: string, what: LiveWish) => {
    if (what === undefined) wishes.delete(who);
    else wishes.set(who, what);
    lookAtCalls();
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
    lookAtCalls();
    await followEvents({
      connection,
      path: "api/events",
      query: { kinds: bells },
      signal: closing.signal,
      hear: pass,
      onState: (next) => become(next === "open" ? "open" : "lost"),
    });
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
    wish(what) {
      own = what;
      wished(tab, what);
      tell({ type: "wish", tab, live: what });
    },
    close() {
      leave();
      removeEventListener("pagehide", leave);
      closing.abort();
      channel?.close();
    },
  };
}

/** Tabs that look at different calls get all of them; each shows only what it asked for. */
function queryOf(wishes: ReadonlyMap<string, LiveWish>): Query | undefined {
  if (wishes.size === 0) return undefined;
  const different = new Set([...wishes.values()].map((wish) => JSON.stringify(wish)));
  const [only] = wishes.values();
  return { kinds: calls, rate: rowsPerSecond, ...(different.size === 1 && only) };
}
