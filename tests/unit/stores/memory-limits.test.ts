import { describe, expect, it } from "vitest";
import { createMemoryLimits } from "../../../src/stores/memory-limits.ts";
import { limitStoreContract } from "../../contract/limit-store.ts";

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
});
