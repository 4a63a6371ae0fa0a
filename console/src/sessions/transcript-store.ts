/** The transcript of one session: items as they are logged, and between them the text that is still being written. */
import type { Connection } from "../api/connection.ts";
import { followEvents } from "../api/follow-events.ts";
import { messageOf } from "../api/problem.ts";
import type { SentEvent } from "../api/read-events.ts";
import type { Item, Session } from "./session-shapes.ts";

export interface Transcript {
  readonly session: Session | undefined;
  readonly items: readonly Item[];
  /** Messages that are not whole yet, by the id of their item. */
  readonly open: ReadonlyMap<string, string>;
  readonly problem: string | undefined;
}

export interface TranscriptStore {
  snapshot(): Transcript;
  subscribe(hear: () => void): () => void;
  close(): void;
}

export function openTranscript(connection: Connection, id: string): TranscriptStore {
  let now: Transcript = { session: undefined, items: [], open: new Map(), problem: undefined };
  const closing = new AbortController();
  const hears = new Set<() => void>();
  let isAsked = false;
  const change = (next: Partial<Transcript>) => {
    now = { ...now, ...next };
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      for (const hear of hears) hear();
    });
  };
  void followEvents({
    connection,
    path: `api/sessions/${encodeURIComponent(id)}/events`,
    signal: closing.signal,
    hear: (events) => change(events.reduce(take, now)),
    onState: (state, error) =>
      change({ problem: state === "open" ? undefined : messageOf(error ?? "The connection was cut.") }),
  });
  return {
    snapshot: () => now,
    subscribe(hear) {
      hears.add(hear);
      return () => hears.delete(hear);
    },
    close: () => closing.abort(),
  };
}

function take(before: Transcript, { kind, data }: SentEvent): Transcript {
  if (typeof data !== "object" || data === null) return before;
  if (kind === "session") return { ...before, session: data as Session };
  if (kind === "reset") return { ...before, items: [], open: new Map() };
  if (kind === "message-delta") return { ...before, open: withDelta(before.open, data as Delta) };
  const { itemId = "", turn = 0, at = 0 } = data as { itemId?: string; turn?: number; at?: number };
  // An item that comes again after a reconnect is the same one.
  if (before.items.some((item) => item.itemId === itemId && item.kind === kind)) return before;
  const open = new Map(before.open);
  open.delete(itemId);
  const isOver = kind === "completed" || kind === "cancelled" || kind === "error";
  return {
    ...before,
    items: [...before.items, { kind, itemId, turn, at, data: data as Item["data"] }],
    open: isOver ? new Map() : open,
  };
}

interface Delta {
  readonly itemId: string;
  readonly offset: number;
  readonly text: string;
}

/** The offset says where the text belongs: what is known already is not said twice. */
function withDelta(open: Transcript["open"], { itemId, offset, text }: Delta): Transcript["open"] {
  const known = open.get(itemId) ?? "";
  if (offset > known.length) return open;
  return new Map(open).set(itemId, known.slice(0, offset) + text);
}
