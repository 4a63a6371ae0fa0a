/** Keeps signed checkpoints outside of the state folder, so that an older copy of the folder is found out. */
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";
import { AnchorSender } from "./anchor-sender.ts";
import { anchorName } from "./anchor-status.ts";

export interface Anchors {
  /** Which ones take nothing now, and why. */
  failing(): readonly { readonly name: string; readonly why: string }[];
  /** After the last checkpoint. Waits a little for the last delivery; the next process goes on with it. */
  close(): Promise<void>;
}

export interface AnchorsOptions {
  readonly stateFolder: string;
  readonly checkpointsFile: string;
  /** Hears of every checkpoint, of any process. Returns how to stop. */
  readonly listen: (listener: () => void) => () => void;
  readonly tell: (message: string) => void;
}

const lastDeliveryMs = 2_000;
/** For what failed, and for a bell that was not heard. */
const againEveryMs = 60_000;

export function openAnchors(anchors: readonly LedgerAnchor[], options: AnchorsOptions): Anchors {
  if (anchors.length === 0) return { failing: () => [], close: async () => {} };
  const ending = new AbortController();
  const senders = anchors.map((anchor) => new AnchorSender(anchor, { ...options, signal: ending.signal }));
  const deliver = () => Promise.all(senders.map((sender) => sender.deliver()));
  const stopListening = options.listen(() => void deliver());
  const timer = setInterval(deliver, againEveryMs).unref();
  void deliver();
  return {
    failing: () =>
      senders.flatMap(({ anchor, failing: why }) =>
        why === undefined ? [] : [{ name: anchorName(anchor), why }],
      ),
    async close() {
      stopListening();
      clearInterval(timer);
      const patience = setTimeout(() => ending.abort(), lastDeliveryMs);
      const gaveUp = new Promise<void>((resolve) =>
        ending.signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      await Promise.race([deliver(), gaveUp]);
      clearTimeout(patience);
    },
  };
}
