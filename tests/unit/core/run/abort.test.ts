import { expect, it } from "vitest";
import { Cancellation, onAbort, signalOf } from "../../../../src/core/run/abort.ts";

it("everybody who listens is told once, in order, and whoever stopped is not", () => {
  const cancellation = new Cancellation();
  const told: string[] = [];
  onAbort(cancellation, () => told.push("first"));
  const stop = onAbort(cancellation, () => told.push("left"));
  onAbort(cancellation, () => told.push("last"));
  stop();
  expect(cancellation.aborted).toBe(false);
  cancellation.cancel(new Error("over"));
  cancellation.cancel(new Error("over again"));
  expect(told).toEqual(["first", "last"]);
  expect(cancellation.aborted).toBe(true);
});

it("who comes too late is told at once", () => {
  const cancellation = new Cancellation();
  cancellation.cancel("over");
  let told = 0;
  onAbort(cancellation, () => told++)();
  expect(told).toBe(1);
});

it("listeners may stop others, and themselves, while they are told", () => {
  const cancellation = new Cancellation();
  const told: string[] = [];
  const stops = [
    onAbort(cancellation, () => {
      told.push("first");
      for (const stop of stops) stop();
    }),
    onAbort(cancellation, () => told.push("second")),
  ];
  cancellation.cancel("over");
  expect(told).toEqual(["first", "second"]);
});

it("its AbortSignal is one and the same, and has the reason, made before or after", () => {
  const before = new Cancellation();
  const signal = signalOf(before);
  expect(signalOf(before)).toBe(signal);
  expect(signal.aborted).toBe(false);
  before.cancel("over");
  expect([signal.aborted, signal.reason]).toEqual([true, "over"]);
  const after = new Cancellation();
  after.cancel("over");
  expect([after.signal.aborted, after.signal.reason]).toEqual([true, "over"]);
});

it("an AbortSignal is its own, and nothing is one that never aborts", () => {
  const { signal } = new AbortController();
  expect(signalOf(signal)).toBe(signal);
  expect(signalOf(undefined).aborted).toBe(false);
});
