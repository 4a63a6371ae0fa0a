import { describe, expect, it } from "vitest";
import type { SentEvent } from "../src/api/read-events.ts";
import { type Transcript, takeAll } from "../src/sessions/transcript-store.ts";

const empty: Transcript = { session: undefined, items: [], open: new Map(), problem: undefined };
const sent = (kind: string, data: object): SentEvent => ({ kind, id: undefined, data });
const message = (seq: number, itemId = `i${seq}`) =>
  sent("message", { seq, itemId, role: "assistant", text: `text ${seq}` });
const delta = (itemId: string, offset: number, text: string) =>
  sent("message-delta", { itemId, offset, text });

describe("a transcript", () => {
  it("keeps the very same list while only the text of a message grows, so that nothing of it is drawn again", () => {
    const before = takeAll(empty, [message(1), message(2)]);
    const after = takeAll(before, [delta("i3", 0, "Hel"), delta("i3", 3, "lo")]);
    expect(after.items).toBe(before.items);
    expect([...after.open]).toEqual([["i3", "Hello"]]);
  });

  it("puts a whole message in the place of its pieces, and each item once, in order", () => {
    const writing = takeAll(empty, [message(1), delta("i2", 0, "te")]);
    const whole = takeAll(writing, [message(1), message(2), message(2)]);
    expect(whole.items.map(({ data }) => data.seq)).toEqual([1, 2]);
    expect(whole.open.size).toBe(0);
  });

  it("begins anew when it is told to, and leaves no half message behind when a turn is over", () => {
    const before = takeAll(empty, [message(1), delta("i2", 0, "te")]);
    expect(
      takeAll(before, [sent("completed", { seq: 2, itemId: "c", stopReason: "end_turn" })]).open.size,
    ).toBe(0);
    const anew = takeAll(before, [sent("reset", {}), message(1)]);
    expect([anew.items.length, anew.open.size]).toEqual([1, 0]);
  });

  it("takes ten times as many items in about ten times the time, not in a hundred times", () => {
    const bestMs = (count: number) => {
      const many = Array.from({ length: count }, (_, at) => message(at + 1));
      const times = Array.from({ length: 5 }, () => {
        const began = performance.now();
        expect(takeAll(empty, many).items).toHaveLength(count);
        return performance.now() - began;
      });
      return Math.min(...times);
    };
    expect(bestMs(100_000)).toBeLessThan(50 * Math.max(bestMs(10_000), 0.2));
  });
});
