import { describe, expect, it } from "vitest";
import { createServerClock } from "../src/api/server-clock.ts";

const date = (at: number) => new Date(at).toUTCString();

describe("the server's clock", () => {
  it("is ours while nobody said otherwise, or while the difference is less than a header can tell", () => {
    let here = 1_700_000_000_500;
    const clock = createServerClock(() => here);
    expect(clock.now()).toBe(here);
    clock.hear(date(1_700_000_000_000), here - 20, here);
    expect(clock.now()).toBe(here);
    here += 1_000;
    expect(clock.now()).toBe(here);
  });

  it("is told by the server where ours is minutes off", () => {
    const here = 1_700_000_000_000;
    const clock = createServerClock(() => here);
    clock.hear(date(here + 300_000), here - 40, here);
    expect(Math.abs(clock.now() - (here + 300_000))).toBeLessThanOrEqual(1_000);
  });

  it("starts over when one of them was set anew", () => {
    const here = 1_700_000_000_000;
    const clock = createServerClock(() => here);
    clock.hear(date(here + 300_000), here, here);
    clock.hear(date(here - 60_000), here, here);
    expect(Math.abs(clock.now() - (here - 60_000))).toBeLessThanOrEqual(1_000);
  });

  it("takes no notice of a header that is no date", () => {
    const clock = createServerClock(() => 5);
    clock.hear(null, 0, 1);
    clock.hear("soon", 0, 1);
    expect(clock.now()).toBe(5);
  });
});
