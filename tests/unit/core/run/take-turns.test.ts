import { expect, it } from "vitest";
import { takeTurns } from "../../../../src/core/run/take-turns.ts";

it("lets others in every few milliseconds, and goes on at once while there is time", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turn = takeTurns();
  expect(turn()).toBeUndefined();
  for (let step = 0; step < 20; step++) {
    const start = performance.now();
    while (performance.now() - start < 5);
    await turn();
  }
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(9);
});
