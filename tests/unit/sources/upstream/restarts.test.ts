import { describe, expect, it } from "vitest";
import { createRestarts } from "../../../../src/sources/upstream/restarts.ts";

function world(random = 1) {
  let time = 0;
  const restarts = createRestarts({ now: () => time, random: () => random });
  const pass = (ms: number) => {
    time += ms;
  };
  return { restarts, pass };
}

describe("restarts", () => {
  it("are free after the first failure, then wait longer and longer, then much longer", () => {
    const { restarts, pass } = world();
    const waits: number[] = [];
    const states: boolean[] = [];
    for (let failures = 0; failures < 11; failures++) {
      restarts.failed("it broke");
      waits.push(restarts.waitMs());
      states.push(restarts.isOpen());
      pass(restarts.waitMs());
    }
    expect(waits).toEqual([0, 250, 500, 1_000, 15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
    expect(states.indexOf(true)).toBe(4);
    expect(restarts.lastError()).toBe("it broke");
  });

  it("may be tried once the pause is over, and begin anew with a success", () => {
    const { restarts, pass } = world();
    for (let failures = 0; failures < 6; failures++) restarts.failed("it broke");
    expect(restarts.isOpen()).toBe(true);
    pass(30_000);
    expect([restarts.isOpen(), restarts.waitMs()]).toEqual([false, 0]);
    restarts.succeeded();
    expect(restarts.lastError()).toBeUndefined();
    restarts.failed("again");
    expect(restarts.waitMs()).toBe(0);
  });

  it("of many do not fall on the same moment", () => {
    for (const [random, waitMs] of [
      [0, 125],
      [0.5, 187.5],
    ] as const) {
      const { restarts } = world(random);
      restarts.failed("1");
      restarts.failed("2");
      expect(restarts.waitMs()).toBe(waitMs);
    }
  });
});
