import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemoryLimits } from "../../../../src/stores/memory/memory-limits.ts";
import { limitStoreContract } from "../../../contract/limit-store.ts";

limitStoreContract("memory", createMemoryLimits);

describe("limits in memory", () => {
  it("stay exact and quick over many calls and many names", () => {
    const store = createMemoryLimits();
    const startedAt = performance.now();
    for (let index = 0; index < 30_000; index++)
      store.take(
        [{ limit: "l", who: `session ${index}`, window: { max: 1, windowMs: 10 }, concurrent: undefined }],
        index,
        false,
      );
    let taken = 0;
    for (let now = 0; now < 30_000; now++)
      if (
        (
          store.take(
            [{ limit: "l", who: "busy", window: { max: 100, windowMs: 1_000 }, concurrent: undefined }],
            now,
            false,
          ) as { ok: boolean }
        ).ok
      )
        taken++;
    expect(taken).toBe(3_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("forget no call that runs while unused names are swept away", () => {
    const store = createMemoryLimits();
    store.take([{ limit: "l", who: "long", window: undefined, concurrent: 1 }], 0, false);
    for (let index = 0; index < 20_001; index++)
      store.take([{ limit: "l", who: `s${index}`, window: undefined, concurrent: 1 }], 0, true);
    for (let index = 0; index < 20_001; index++)
      store.take(
        [{ limit: "l", who: `t${index}`, window: { max: 1, windowMs: 1 }, concurrent: undefined }],
        index * 5,
        false,
      );
    expect(
      store.take([{ limit: "l", who: "long", window: undefined, concurrent: 1 }], 200_000, false),
    ).toMatchObject({ ok: false });
  });

  it("answer as a list of every single call would, also when many come at the same moment", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 200 });
    const limit = fc.record({
      max: fc.integer({ min: 1, max: 9 }),
      windowMs: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(steps, limit, (pauses, window) => {
        const store = createMemoryLimits();
        const claims = [{ limit: "l", who: "w", window, concurrent: undefined }];
        let times: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          times = times.filter((time) => time > now - window.windowMs);
          const freesAt = (times.at(-window.max) ?? now) + window.windowMs;
          const full = times.length >= window.max;
          expect(store.take(claims, now, false)).toMatchObject(
            full ? { ok: false, why: "window", retryAfterMs: Math.max(1, freesAt - now) } : { ok: true },
          );
          if (!full) times.push(now);
        }
      }),
    );
  });
});
