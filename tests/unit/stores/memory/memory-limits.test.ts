import { expect, it } from "vitest";
import { createMemoryLimits } from "../../../../src/stores/memory/memory-limits.ts";
import { limitStoreContract } from "../../../contract/limit-store.ts";

limitStoreContract("memory", createMemoryLimits, { longest: 200, runs: 100 });

it("limits in memory forget no call that runs while unused names are swept away", () => {
  const store = createMemoryLimits();
  const running = (who: string) => [{ limit: "l", who, window: undefined, concurrent: 1 }];
  const window = { max: 1, windowMs: 1 };
  const inWindow = (who: string) => [{ limit: "l", who, window, concurrent: undefined }];
  store.take(running("long"), 0, false);
  for (let index = 0; index < 20_001; index++) store.take(running(`s${index}`), 0, true);
  for (let index = 0; index < 20_001; index++) store.take(inWindow(`t${index}`), index * 5, false);
  expect(store.take(running("long"), 200_000, false)).toMatchObject({ ok: false });
});
