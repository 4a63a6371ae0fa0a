import { describe, expect, it } from "vitest";
import { createMemoryLimits } from "../../../../src/stores/memory/memory-limits.ts";
import { checkAgainstList, limitStoreContract } from "../../../contract/limit-store.ts";
import { processorMs } from "../../../processor-time.ts";

limitStoreContract("memory", createMemoryLimits);

const inWindow = (who: string, max: number, windowMs: number) => [
  { limit: "l", who, window: { max, windowMs }, concurrent: undefined },
];
const running = (who: string) => [{ limit: "l", who, window: undefined, concurrent: 1 }];

describe("limits in memory", () => {
  it("stay exact and quick over many calls and many names", async () => {
    const store = createMemoryLimits();
    const startedAt = processorMs();
    for (let index = 0; index < 30_000; index++)
      store.take(inWindow(`session ${index}`, 1, 10), index, false);
    let taken = 0;
    for (let now = 0; now < 30_000; now++)
      if ((await store.take(inWindow("busy", 100, 1_000), now, false)).ok) taken++;
    expect(taken).toBe(3_000);
    expect(processorMs() - startedAt).toBeLessThan(10_000);
  });

  it("forget no call that runs while unused names are swept away", () => {
    const store = createMemoryLimits();
    store.take(running("long"), 0, false);
    for (let index = 0; index < 20_001; index++) store.take(running(`s${index}`), 0, true);
    for (let index = 0; index < 20_001; index++) store.take(inWindow(`t${index}`, 1, 1), index * 5, false);
    expect(store.take(running("long"), 200_000, false)).toMatchObject({ ok: false });
  });

  it("answer as a list of every single call would, also when many come at the same moment", () =>
    checkAgainstList(createMemoryLimits(), 200, 100));
});
