import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Vigil } from "../../../src/mcp/vigil.ts";

const isAwake = () => vi.getTimerCount() > 0;

/** A message goes out, and so much later the next one comes. */
function wait(vigil: Vigil, ms: number): void {
  vigil.begin();
  vi.advanceTimersByTime(ms);
  vigil.end();
}

describe("waiting for the other end of a pipe", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setImmediate", "performance"] });
    // 0 is before everything.
    vi.advanceTimersByTime(1_000);
  });
  afterEach(() => {
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
  });

  it("sleeps until an answer has been quick", () => {
    const vigil = new Vigil(2);
    vigil.begin();
    expect(isAwake()).toBe(false);
    vigil.end();
    vigil.begin();
    expect(isAwake()).toBe(true);
  });

  it("sleeps again after a moment", () => {
    const vigil = new Vigil(2);
    wait(vigil, 0);
    vigil.begin();
    vi.advanceTimersByTime(1);
    expect(isAwake()).toBe(false);
  });

  it("sleeps at once after an answer that took its time, and stays awake again after the next quick one", () => {
    const vigil = new Vigil(2);
    wait(vigil, 0);
    wait(vigil, 5);
    vigil.begin();
    expect(isAwake()).toBe(false);
    vigil.end();
    vigil.begin();
    expect(isAwake()).toBe(true);
  });

  it("learns nothing from what comes without being waited for", () => {
    const vigil = new Vigil(2);
    wait(vigil, 5);
    vigil.end();
    vigil.begin();
    expect(isAwake()).toBe(false);
  });

  it("always sleeps where there is a single processor", () => {
    const vigil = new Vigil(1);
    wait(vigil, 0);
    vigil.begin();
    expect(isAwake()).toBe(false);
  });
});
