/** What every store of limits must do, whatever it keeps its counts in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LimitAnswer, LimitClaim, LimitStore } from "../../src/core/ports/ports.ts";

export function limitStoreContract(
  name: string,
  create: () => LimitStore | Promise<LimitStore>,
  { longest = 30, runs = 60 } = {},
): void {
  const window = (who: string, max: number): LimitClaim => {
    const windowMs = 1_000;
    return { limit: "l", who, window: { max, windowMs }, concurrent: undefined };
  };
  const running = (who: string, concurrent: number) => ({ limit: "l", who, window: undefined, concurrent });

  async function createLimits() {
    const store = await create();
    const take = async (claims: LimitClaim | LimitClaim[], now = 0) =>
      store.take([claims].flat(), now, false);
    const takes = async (claims: LimitClaim | LimitClaim[], now = 0) => (await take(claims, now)).ok;
    const look = async (...claims: LimitClaim[]) => (await store.take(claims, 0, true)).ok;
    return { take, takes, look };
  }

  async function release(answer: LimitAnswer): Promise<void> {
    if (!answer.ok) throw new Error("the claim was refused");
    await answer.release?.();
  }

  describe(`limits in ${name}`, () => {
    it("answer as a list of every single call would, also when many come at the same moment", async () =>
      checkAgainstList(await create(), longest, runs));

    it("are closed for a window at most when the date moves back, and not open meanwhile", async () => {
      const { take, takes } = await createLimits();
      for (const now of [10_000_000, 10_000_100]) await take(window("a", 2), now);
      let taken = 0;
      for (let now = 9_999_900; now < 10_001_000; now += 50) if (await takes(window("a", 2), now)) taken += 1;
      expect(taken).toBeLessThanOrEqual(2);
      const later = await createLimits();
      for (const now of [10_000_000, 10_000_100, 5_000]) await later.take(window("b", 2), now);
      expect(await later.takes(window("b", 2), 6_001)).toBe(true);
    });

    it("give a place back when the call ends, once", async () => {
      const { take, takes } = await createLimits();
      const first = await take(running("a", 1));
      expect(await take(running("a", 1))).toMatchObject({ ok: false, why: "concurrent", index: 0 });
      await release(first);
      const second = await take(running("a", 1));
      await release(first);
      expect(await takes(running("a", 1))).toBe(false);
      await release(second);
      expect(await takes(running("a", 1))).toBe(true);
    });

    it("take all claims of a call or none, and say which one failed", async () => {
      const { take, takes } = await createLimits();
      await take(window("full", 1));
      const refused = await take([window("w", 1), running("r", 1), window("full", 1)]);
      expect(refused).toMatchObject({ ok: false, index: 2 });
      expect(await takes(window("w", 1))).toBe(true);
      expect(await takes(running("r", 1))).toBe(true);
    });

    it("only look when asked to", async () => {
      const { take, look } = await createLimits();
      for (let index = 0; index < 5; index++) expect(await look(window("a", 1), running("b", 1))).toBe(true);
      await take(window("a", 1));
      expect(await look(window("a", 1))).toBe(false);
    });

    it("keep keys apart", async () => {
      const { takes } = await createLimits();
      for (const key of ["a", "b", "__proto__", "constructor", "a\u0000b", ""])
        expect([await takes(window(key, 1)), await takes(window(key, 1))]).toEqual([true, false]);
    });

    it("let nothing through at zero", async () => {
      const { take } = await createLimits();
      expect(await take(window("a", 0))).toMatchObject({ ok: false, why: "window" });
      expect(await take(running("b", 0))).toMatchObject({ ok: false, why: "concurrent" });
    });

    it("never give more places than there are to claims that race", async () => {
      const { takes } = await createLimits();
      const answers = await Promise.all(Array.from({ length: 20 }, () => takes(running("a", 3))));
      expect(answers.filter(Boolean)).toHaveLength(3);
    });
  });
}

/** The law of a window: a store answers as a list of every single call would, also when many come at the same moment. */
async function checkAgainstList(store: LimitStore, most: number, numRuns: number): Promise<void> {
  const pauses = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: most });
  const window = fc.record({ max: fc.integer({ min: 1, max: 9 }), windowMs: fc.integer({ min: 1, max: 9 }) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(pauses, window, async (steps, given) => {
      const claims = [{ limit: "l", who: `run ${++run}`, window: given, concurrent: undefined }];
      let times: number[] = [];
      let now = 0;
      for (const pause of steps) {
        now += pause;
        times = times.filter((time) => time > now - given.windowMs);
        const freesAt = (times.at(-given.max) ?? now) + given.windowMs;
        const full = times.length >= given.max;
        expect(await store.take(claims, now, false)).toMatchObject(
          full ? { ok: false, why: "window", retryAfterMs: Math.max(1, freesAt - now) } : { ok: true },
        );
        if (!full) times.push(now);
      }
    }),
    { numRuns },
  );
}
