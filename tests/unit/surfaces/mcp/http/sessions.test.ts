import { describe, expect, it } from "vitest";
import { createSessions, type HeldSession } from "../../../../../src/surfaces/mcp/http/sessions.ts";
import { createFakeClock } from "../../../../../src/testing/index.ts";

class TestSession implements HeldSession {
  readonly id: string;
  readonly callerId: string;
  isBusy = false;
  isClosed = false;

  constructor(id: string, callerId: string) {
    this.id = id;
    this.callerId = callerId;
  }

  close(): void {
    this.isClosed = true;
  }
}

function world(limits: { maxSessions?: number; maxPerCaller?: number; idleMs?: number } = {}) {
  const clock = createFakeClock();
  const sessions = createSessions<TestSession>(
    { maxSessions: 10, maxPerCaller: 3, idleMs: 60_000, ...limits },
    clock,
  );
  let count = 0;
  const open = (callerId: string) =>
    sessions.open(callerId, () => new TestSession(`session-${++count}`, callerId));
  return { clock, sessions, open };
}

describe("sessions", () => {
  it("are nobody else's", () => {
    const { sessions, open } = world();
    const session = open("a");
    expect(sessions.find(session?.id ?? "", "a")).toBe(session);
    expect(sessions.find(session?.id ?? "", "b")).toBeUndefined();
  });

  it("are closed when nobody used them for long enough, and not before", async () => {
    const { clock, sessions, open } = world();
    const left = open("a");
    const used = open("a");
    await clock.advance(40_000);
    sessions.find(used?.id ?? "", "a");
    await clock.advance(30_000);
    expect([left?.isClosed, used?.isClosed]).toEqual([true, false]);
    await clock.advance(60_000);
    expect(used?.isClosed).toBe(true);
    expect(clock.waitingTimers).toBe(0);
  });

  it("are kept while something runs in them", async () => {
    const { clock, open } = world();
    const session = open("a");
    if (session === undefined) throw new Error("no session");
    session.isBusy = true;
    await clock.advance(500_000);
    expect(session.isClosed).toBe(false);
    session.isBusy = false;
    await clock.advance(120_000);
    expect(session.isClosed).toBe(true);
  });

  it("make room for new ones of the same callerId, the longest unused first", () => {
    const { sessions, open } = world();
    const [first, second] = [open("a"), open("a"), open("a")];
    sessions.find(first?.id ?? "", "a");
    open("a");
    expect([first?.isClosed, second?.isClosed]).toEqual([false, true]);
  });

  it("never make room at the cost of what is in use, or of another callerId", () => {
    const { open } = world({ maxSessions: 2 });
    const other = open("b");
    const mine = open("a");
    if (mine === undefined) throw new Error("no session");
    mine.isBusy = true;
    expect(open("a")).toBeUndefined();
    expect(other?.isClosed).toBe(false);
  });

  it("end all at once", () => {
    const { clock, sessions, open } = world();
    const all = [open("a"), open("b")];
    sessions.closeAll();
    expect(all.map((one) => one?.isClosed)).toEqual([true, true]);
    expect([sessions.size, clock.waitingTimers]).toEqual([0, 0]);
  });
});
