/** What every store of limits must do, whatever it keeps its counts in. */
import { describe, expect, it } from "vitest";
import type { LimitAnswer, LimitStore } from "../../src/core/ports/ports.ts";

export function limitStoreContract(name: string, create: () => LimitStore | Promise<LimitStore>): void {
  const window = (key: string, max: number, windowMs = 1_000) => ({
    limit: "l",
    who: key,
    window: { max, windowMs },
    concurrent: undefined,
  });
  const running = (key: string, concurrent: number) => ({
    limit: "l",
    who: key,
    window: undefined,
    concurrent,
  });

  async function release(answer: LimitAnswer): Promise<void> {
    if (!answer.ok) throw new Error("the claim was refused");
    await answer.release?.();
  }

  describe(`limits in ${name}`, () => {
    it("let exactly max calls into a window and tell when the next one fits", async () => {
      const store = await create();
      expect((await store.take([window("a", 2)], 0, false)).ok).toBe(true);
      expect((await store.take([window("a", 2)], 400, false)).ok).toBe(true);
      expect(await store.take([window("a", 2)], 600, false)).toEqual({
        ok: false,
        index: 0,
        why: "window",
        retryAfterMs: 400,
      });
    });

    it("are exact at the boundary: one millisecond early is refused, on time is not", async () => {
      const store = await create();
      await store.take([window("a", 1)], 0, false);
      expect(await store.take([window("a", 1)], 999, false)).toMatchObject({ ok: false, retryAfterMs: 1 });
      expect((await store.take([window("a", 1)], 1_000, false)).ok).toBe(true);
    });

    it("hold in every window of that length, not only in those that begin on a mark", async () => {
      const store = await create();
      const taken: number[] = [];
      for (let now = 0; now < 5_000; now += 130)
        if ((await store.take([window("a", 3)], now, false)).ok) taken.push(now);
      for (const from of taken)
        expect(taken.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(3);
      expect(taken.length).toBeGreaterThanOrEqual(12);
    });

    it("are closed for a window at most when the date moves back, and not open meanwhile", async () => {
      const store = await create();
      for (const now of [10_000_000, 10_000_100]) await store.take([window("a", 2)], now, false);
      let taken = 0;
      for (let now = 9_999_900; now < 10_001_000; now += 50)
        if ((await store.take([window("a", 2)], now, false)).ok) taken += 1;
      expect(taken).toBeLessThanOrEqual(2);
      const later = await create();
      for (const now of [10_000_000, 10_000_100]) await later.take([window("b", 2)], now, false);
      await later.take([window("b", 2)], 5_000, false);
      expect((await later.take([window("b", 2)], 6_001, false)).ok).toBe(true);
    });

    it("tell a time after which the call really fits", async () => {
      const store = await create();
      for (const now of [0, 10, 20]) await store.take([window("a", 3)], now, false);
      const refused = await store.take([window("a", 3)], 50, false);
      const wait = refused.ok ? Number.NaN : (refused.retryAfterMs ?? Number.NaN);
      expect((await store.take([window("a", 3)], 50 + wait - 1, false)).ok).toBe(false);
      expect((await store.take([window("a", 3)], 50 + wait, false)).ok).toBe(true);
    });

    it("do not count a refused call", async () => {
      const store = await create();
      await store.take([window("a", 1)], 0, false);
      for (let now = 100; now < 1_000; now += 100) await store.take([window("a", 1)], now, false);
      expect((await store.take([window("a", 1)], 1_000, false)).ok).toBe(true);
    });

    it("give a place back when the call ends, once", async () => {
      const store = await create();
      const first = await store.take([running("a", 1)], 0, false);
      expect(await store.take([running("a", 1)], 0, false)).toMatchObject({
        ok: false,
        why: "concurrent",
        index: 0,
      });
      await release(first);
      const second = await store.take([running("a", 1)], 0, false);
      await release(first);
      expect((await store.take([running("a", 1)], 0, false)).ok).toBe(false);
      await release(second);
      expect((await store.take([running("a", 1)], 0, false)).ok).toBe(true);
    });

    it("take all claims of a call or none, and say which one failed", async () => {
      const store = await create();
      await store.take([window("full", 1)], 0, false);
      const refused = await store.take([window("w", 1), running("r", 1), window("full", 1)], 0, false);
      expect(refused).toMatchObject({ ok: false, index: 2 });
      expect((await store.take([window("w", 1)], 0, false)).ok).toBe(true);
      expect((await store.take([running("r", 1)], 0, false)).ok).toBe(true);
    });

    it("only look when asked to", async () => {
      const store = await create();
      for (let index = 0; index < 5; index++)
        expect((await store.take([window("a", 1), running("b", 1)], 0, true)).ok).toBe(true);
      await store.take([window("a", 1)], 0, false);
      expect((await store.take([window("a", 1)], 0, true)).ok).toBe(false);
    });

    it("keep keys apart", async () => {
      const store = await create();
      for (const key of ["a", "b", "__proto__", "constructor", "a\u0000b", ""]) {
        expect((await store.take([window(key, 1)], 0, false)).ok).toBe(true);
        expect((await store.take([window(key, 1)], 0, false)).ok).toBe(false);
      }
    });

    it("let nothing through at zero", async () => {
      const store = await create();
      expect(await store.take([window("a", 0)], 0, false)).toMatchObject({ ok: false, why: "window" });
      expect(await store.take([running("b", 0)], 0, false)).toMatchObject({ ok: false, why: "concurrent" });
    });

    it("never give more places than there are to claims that race", async () => {
      const store = await create();
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => store.take([running("a", 3)], 0, false)),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    });
  });
}
