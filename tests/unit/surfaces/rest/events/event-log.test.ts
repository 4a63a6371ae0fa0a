import { describe, expect, it } from "vitest";
import { EventLog } from "../../../../../src/surfaces/rest/events/event-log.ts";

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
    for (const id of [
      "p2-1",
      "p1-3",
      "1",
      "",
      "p1-",
      "p1--1",
      "p1-1e0",
      "p1-0x1",
      "-1",
      `p1-${"9".repeat(30)}`,
    ])
      expect(log.positionOf(id), id).toEqual({ ok: false, reason: "restarted" });
    expect(log.positionOf("p1-0")).toEqual({ ok: true, after: 0 });
  });
});
