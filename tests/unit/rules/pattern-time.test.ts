import { expect, it } from "vitest";
import { cpuMsSince, cpuUsed } from "../../../src/core/run/cpu-time.ts";
import { PatternTime } from "../../../src/rules/conditions/pattern-time.ts";

function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function work(ms: number): void {
  const before = cpuUsed();
  while (cpuMsSince(before) < ms);
}

it("is not up because a pattern waited for a processor, nor for work that no pattern does", () => {
  const time = new PatternTime();
  time.measure(() => wait(30));
  work(60);
  time.measure(() => wait(30));
  expect(time.isUp).toBe(false);
});

it("is up when patterns have worked for twenty milliseconds since the clock said so much", () => {
  const time = new PatternTime();
  for (let round = 0; round < 2; round++) {
    expect(time.isUp).toBe(false);
    time.measure(() => work(25));
  }
  expect(time.isUp).toBe(true);
});
