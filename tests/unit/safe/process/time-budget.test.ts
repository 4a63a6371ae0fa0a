import { describe, expect, it } from "vitest";
import { withinBudget } from "../../../../src/safe/process/time-budget.ts";
import { processorMs } from "../../../processor-time.ts";

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
    const budgetMs = 300;
    const begun: number[] = [];
    const endless = () => {
      begun.push(processorMs());
      for (;;);
    };
    expect(withinBudget(budgetMs, endless)).toEqual({ ok: false, timedOut: true });
    // On a busy machine others may have had the processor: only then was there another try.
    for (const [at, cpu] of begun.slice(1).entries())
      expect(cpu - (begun[at] ?? 0)).toBeLessThan(budgetMs / 2 + 20);
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
