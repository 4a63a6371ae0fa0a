import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../src/testing/index.ts";

describe("a fake clock", () => {
  it("stands still until it is moved", async () => {
    const clock = createFakeClock(1_000);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250]);
  });

  it("fires timers in the order of their time, each at its time", async () => {
    const clock = createFakeClock(0);
    const fired: unknown[] = [];
    clock.after(20, () => fired.push(["b", clock.now()]));
    clock.after(10, () => fired.push(["a", clock.now()]));
    clock.after(20, () => fired.push(["c", clock.now()]));
    clock.after(21, () => fired.push("late"));
    await clock.advance(20);
    expect(fired).toEqual([
      ["a", 10],
      ["b", 20],
      ["c", 20],
    ]);
    expect(clock.waitingTimers).toBe(1);
  });

  it("fires timers that timers set, and lets promises settle between", async () => {
    const clock = createFakeClock(0);
    const fired: number[] = [];
    clock.after(10, () => void Promise.resolve().then(() => clock.after(10, () => fired.push(clock.now()))));
    await clock.advance(30);
    expect(fired).toEqual([20]);
  });

  it("forgets a timer that was stopped, and takes the past for now", async () => {
    const clock = createFakeClock(0);
    const fired: string[] = [];
    clock.after(5, () => fired.push("stopped"))();
    clock.after(-5, () => fired.push("past"));
    await clock.advance(0);
    await clock.advance(10);
    expect([fired, clock.waitingTimers]).toEqual([["past"], 0]);
  });
});
