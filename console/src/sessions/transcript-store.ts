/** The transcript of one session: items as they are logged, and between them the text that is still being written. */
import type { Session, SessionItem, SessionStreamEvent } from "toolgate/contract";
import type { Connection } from "../api/connection.ts";
import { followEvents } from "../api/follow-events.ts";
import { messageOf } from "../api/problem.ts";
import type { SentEvent } from "../api/read-events.ts";

export interface Transcript {
  readonly session: Session | undefined;
  readonly items: readonly SessionItem[];
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
    hear: (events) => change(takeAll(now, events)),
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

/** The list of items is copied once for all that came together: a transcript has thousands of them. */
export function takeAll(before: Transcript, sent: readonly SentEvent[]): Transcript {
  let { session, items, open } = before;
  let fresh: SessionItem[] = [];
  for (const event of sent as unknown as readonly SessionStreamEvent[]) {
    if (event.kind === "session") session = event.data;
    else if (event.kind === "reset") [items, fresh, open] = [[], [], new Map()];
    else if (event.kind === "message-delta") open = withDelta(open, event.data);
    else if (itemKinds.has(event.kind)) {
      const { seq, itemId } = event.data;
      // Without gaps and in order: what comes again after a reconnect is known already.
      if (seq <= ((fresh.at(-1) ?? items.at(-1))?.data.seq ?? 0)) continue;
      fresh.push(event);
      const isOver = event.kind === "completed" || event.kind === "cancelled" || event.kind === "error";
      if (open.size === 0) continue;
      open = new Map(isOver ? [] : open);
      (open as Map<string, string>).delete(itemId);
    }
  }
  return { ...before, session, items: fresh.length === 0 ? items : [...items, ...fresh], open };
}

/** A later server may log more kinds. */
const itemKinds = new Set<string>([
  "message",
  "tool_use",
  "tool_result",
  "approval",
  "usage",
  "error",
  "completed",
  "cancelled",
] satisfies SessionItem["kind"][]);

type Delta = (SessionStreamEvent & { readonly kind: "message-delta" })["data"];

/** The offset says where the text belongs: what is known already is not said twice. */
function withDelta(open: Transcript["open"], { itemId, offset, text }: Delta): Transcript["open"] {
  const known = open.get(itemId) ?? "";
  if (offset > known.length) return open;
  return new Map(open).set(itemId, known.slice(0, offset) + text);
}
