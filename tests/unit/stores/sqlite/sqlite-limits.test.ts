import fc from "fast-check";
import { expect, it } from "vitest";
import { createSqliteLimits } from "../../../../src/stores/sqlite/limits/sqlite-limits.ts";
import { limitStoreContract } from "../../../contract/limit-store.ts";
import { sharedStore } from "./temporary-store.ts";

const store = sharedStore(["limit_calls", "limit_places"]);
limitStoreContract("SQLite", () => createSqliteLimits(store()));

it("limits in SQLite answer as a list of every single call would, also when many come at the same moment", async () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 });
  const window = fc.record({ max: fc.integer({ min: 1, max: 9 }), windowMs: fc.integer({ min: 1, max: 9 }) });
  const limits = createSqliteLimits(store());
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
        expect(await limits.take(claims, now, false)).toMatchObject(
          full ? { ok: false, why: "window", retryAfterMs: Math.max(1, freesAt - now) } : { ok: true },
        );
        if (!full) times.push(now);
      }
    }),
    { numRuns: 60 },
  );
});
