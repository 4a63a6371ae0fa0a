import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../src/core/input/json.ts";
import { EventLog, type LoggedEvent } from "../../../../../src/surfaces/rest/events/event-log.ts";
import { createThinnedPlace } from "../../../../../src/surfaces/rest/events/place-in-log.ts";
import { createThinning } from "../../../../../src/surfaces/rest/events/thin-events.ts";
import { createFakeClock } from "../../../../../src/testing/fake-clock.ts";

function keptLog(options: Omit<ConstructorParameters<typeof EventLog>[0], "process"> = {}): EventLog {
  const log = new EventLog({ process: "p1", ...options });
  log.keep();
  return log;
}

function fill(log: EventLog, count: number): void {
  for (let number = 0; number < count; number++) log.append("tick", { number });
}
const seqs = (log: EventLog, after: number) => [...log.after(after)].map(({ seq }) => seq);

describe("the event log", () => {
  it("keeps events in order, each under an id that leads back to its place", () => {
    const log = keptLog();
    fill(log, 5);
    expect(seqs(log, 2)).toEqual([3, 4, 5]);
    expect(log.positionOf("p1-2")).toEqual({ ok: true, after: 2 });
    expect(String([...log.after(4)][0]?.frame)).toBe('id: p1-5\nevent: tick\ndata: {"number":4}\n\n');
  });

  it("forgets the oldest beyond its number, and says that what came after them is not known", () => {
    const log = keptLog({ maxEvents: 3 });
    fill(log, 5_000);
    expect(seqs(log, 4_997)).toEqual([4_998, 4_999, 5_000]);
    expect(log.holdsAfter(4_997)).toBe(true);
    expect(log.holdsAfter(4_996)).toBe(false);
    expect(log.positionOf("p1-4996")).toEqual({ ok: false, reason: "too_old" });
    expect(log.positionOf("p1-5000")).toEqual({ ok: true, after: 5_000 });
  });

  it("forgets the oldest beyond its bytes", () => {
    const log = keptLog({ maxBytes: 1_000 });
    for (let number = 0; number < 100; number++) log.append("tick", { text: "x".repeat(200) });
    expect(seqs(log, 96).length).toBeLessThanOrEqual(4);
    expect(log.holdsAfter(90)).toBe(false);
    expect(log.holdsAfter(98)).toBe(true);
  });

  it("only counts events until somebody listens", () => {
    const log = new EventLog({ process: "p1" });
    fill(log, 5);
    expect(log.lastSeq).toBe(5);
    expect(seqs(log, 0)).toEqual([]);
    expect(log.holdsAfter(4)).toBe(false);
    log.keep();
    expect(log.positionOf("p1-5")).toEqual({ ok: true, after: 5 });
    fill(log, 2);
    expect(seqs(log, 5)).toEqual([6, 7]);
    expect(log.positionOf("p1-3")).toEqual({ ok: false, reason: "too_old" });
  });

  it("takes the id of another process, of the future, or of nothing for what it is", () => {
    const log = keptLog();
    fill(log, 2);
    const long = `p1-${"9".repeat(30)}`;
    for (const id of ["p2-1", "p1-3", "1", "", "p1-", "p1--1", "p1-1e0", "p1-0x1", "-1", long])
      expect(log.positionOf(id), id).toEqual({ ok: false, reason: "restarted" });
    expect(log.positionOf("p1-0")).toEqual({ ok: true, after: 0 });
  });
});

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
    const tools = ["a", "b"].map((tool) => ({ tool, count: tool === "a" ? 75 : 25 }));
    const times = { fromMs: 0, toMs: 1_000, p50Ms: 49, p95Ms: 94 };
    expect(thinning.takeSummary()).toEqual({ left: 100, ok: 100, tools, ...times });
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

function openPlace(maxEvents = 100) {
  const log = new EventLog({ process: "p", maxEvents });
  log.keep();
  const clock = createFakeClock();
  const place = createThinnedPlace({ log, wants: () => true, after: 0 }, createThinning(10, clock));
  const call = (number: number, ok: boolean) =>
    log.append("call-end", {
      ...{ callId: `c${number}`, tool: "fs.read", ok, durationMs: 1, message: "x".repeat(500) },
    });
  return { log, clock, place, call };
}

describe("the place of a client with a thinned stream", () => {
  it("has every refusal and the count of the rest, however far the log has moved on before it was served", async () => {
    const { clock, place, call } = openPlace();
    for (let number = 0; number < 2_000; number += 1) call(number, number % 100 !== 0);
    await clock.advance(1_000);
    const text = String(place.take());
    expect(text.match(/"ok":false/g)).toHaveLength(20);
    const { left } = JSON.parse(/event: summary\ndata: (.*)/.exec(text)?.[1] ?? "{}");
    expect(left + (text.match(/"ok":true/g) ?? []).length).toBe(2_000 - 20);
    expect(text).toContain("id: p-2000\nevent: summary");
    expect(place.isWhole()).toBe(true);
  });

  it("is given up when the client leaves more refusals unread than the server keeps for it", () => {
    const { log, place, call } = openPlace();
    for (let number = 0; number < 10_000; number += 1) call(number, false);
    expect(place.isWhole()).toBe(false);
    expect(place.hasNews()).toBe(false);
    place.leave();
    expect(log.lastSeq).toBe(10_000);
  });
});
