import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../src/core/input/json.ts";
import type { LoggedEvent } from "../../../../../src/surfaces/rest/events/event-log.ts";
import { createThinning } from "../../../../../src/surfaces/rest/events/thin-events.ts";

function world(rate: number) {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, dateOf: (at: number) => at, after: () => () => {} };
  const thinning = createThinning(rate, clock);
  const event = (kind: string, data: JsonObject) =>
    thinning.passes({
      kind,
      data,
      seq: 1,
      sessionId: undefined,
      size: 1,
      frame: Buffer.alloc(0),
    } as LoggedEvent);
  return {
    thinning,
    event,
    start: (callId: string) => event("call-start", { callId, tool: "t", caller: "c" }),
    end: (callId: string, more: JsonObject = {}) =>
      event("call-end", { callId, tool: "t", ok: true, durationMs: 2, ...more }),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("a thinned stream", () => {
  it("sends at most so many events of calls a second, and a call that it began to its end", () => {
    const { start, end, pass } = world(10);
    const sent = Array.from({ length: 100 }, (_, at) => start(`c${at}`)).filter(Boolean);
    expect(sent).toHaveLength(5);
    expect(Array.from({ length: 100 }, (_, at) => end(`c${at}`)).filter(Boolean)).toHaveLength(5);
    pass(1_000);
    expect(Array.from({ length: 100 }, (_, at) => end(`d${at}`)).filter(Boolean)).toHaveLength(10);
  });

  it("never leaves out refusals, failures and questions", () => {
    const { end, event } = world(1);
    end("first");
    for (let at = 0; at < 1_000; at++) {
      expect(end(`c${at}`, { ok: false, code: "policy_denied" })).toBe(true);
      expect(event("approval-request", { callId: `c${at}`, id: "q" })).toBe(true);
      expect(event("rules-change", { version: at })).toBe(true);
    }
  });

  it("says once a second what it left out, by tool, with their times", () => {
    const { thinning, end, pass } = world(1);
    end("sent");
    expect(thinning.dueInMs).toBeUndefined();
    for (let at = 0; at < 100; at++) end(`c${at}`, { tool: at % 4 === 0 ? "b" : "a", durationMs: at });
    expect(thinning.takeSummary()).toBeUndefined();
    expect(thinning.dueInMs).toBe(1_000);
    pass(1_000);
    expect(thinning.takeSummary()).toEqual({
      fromMs: 0,
      toMs: 1_000,
      left: 100,
      ok: 100,
      tools: [
        { tool: "a", count: 75 },
        { tool: "b", count: 25 },
      ],
      p50Ms: 49,
      p95Ms: 94,
    });
    expect(thinning.takeSummary()).toBeUndefined();
  });

  it("remembers no more than a little, however many calls never end and tools there are", () => {
    const { thinning, start, end, pass } = world(1_000);
    for (let at = 0; at < 50_000; at++) {
      start(`never${at}`);
      pass(2);
    }
    for (let at = 0; at < 50_000; at++) end(`x${at}`, { tool: `tool${at}` });
    pass(1_000);
    const summary = thinning.takeSummary();
    expect(summary?.tools).toHaveLength(20);
    expect(summary?.left).toBeGreaterThan(40_000);
  });
});
