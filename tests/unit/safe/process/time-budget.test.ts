import { describe, expect, it } from "vitest";
import { withinBudget } from "../../../../src/safe/process/time-budget.ts";

/** Time passes, and the processor does nothing for us. */
function idle(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("work within a budget of time", () => {
  it("gives its value, or what it threw", () => {
    expect(withinBudget(1_000, () => 42)).toEqual({ ok: true, value: 42 });
    const error = new Error("no");
    const thrower = () => {
      throw error;
    };
    expect(withinBudget(1_000, thrower)).toEqual({ ok: false, timedOut: false, error });
  });

  it("is stopped when it takes the processor for longer, at the first try", () => {
    let tries = 0;
    const endless = () => {
      tries++;
      for (;;);
    };
    // A long budget: on a busy machine half of it is ours all the same.
    expect(withinBudget(1_000, endless)).toEqual({ ok: false, timedOut: true });
    expect(tries).toBeLessThan(4);
  });

  it("is tried again when the time passed while it hardly ran, and not for ever", () => {
    let tries = 0;
    const starved = (times: number) => () => {
      tries++;
      if (tries <= times) idle(400);
      return "done";
    };
    expect(withinBudget(150, starved(2))).toEqual({ ok: true, value: "done" });
    expect(tries).toBe(3);
    tries = 0;
    expect(withinBudget(150, starved(100))).toEqual({ ok: false, timedOut: true });
    expect(tries).toBe(4);
  });
});
