import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSessionIds } from "../../../../../src/surfaces/mcp/http/session-ids.ts";
import { openSessionKey } from "../../../../../src/surfaces/mcp/http/session-key.ts";
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

const params = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: { form: {}, other: 1 }, sampling: {}, experimental: { x: "y".repeat(5_000) } },
  clientInfo: { name: "n".repeat(500), version: "1", icons: [] },
};

describe("ids of sessions", () => {
  const ids = createSessionIds(Buffer.alloc(32, 1));

  it("hold what matters of the client, and are short enough for a header", () => {
    const id = ids.make("a", params);
    expect(id.length).toBeLessThan(500);
    expect(ids.read(id, "a")).toEqual({
      protocolVersion: "2025-06-18",
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: "n".repeat(100), version: "1" },
    });
    expect(ids.make("a", params)).not.toBe(id);
  });

  it("are good for one caller and one key", () => {
    const id = ids.make("a", params);
    expect(ids.read(id, "b")).toBeUndefined();
    expect(createSessionIds(Buffer.alloc(32, 2)).read(id, "a")).toBeUndefined();
  });

  it.each(["", ".", "a.b", `${"A".repeat(30)}.${"A".repeat(22)}`, `${"A".repeat(5_000)}.${"A".repeat(22)}`])(
    "are none of ours: %j",
    (id) => {
      expect(ids.read(id, "a")).toBeUndefined();
    },
  );

  it("survive whatever a client says about itself", () => {
    for (const given of [undefined, null, 1, [], { capabilities: 1, clientInfo: [], protocolVersion: {} }])
      expect(ids.read(ids.make("a", given), "a")).toMatchObject({ protocolVersion: "2025-11-25" });
  });
});

describe("the key of the ids", () => {
  it("is made once, is the owner's alone, and is made anew when others could read it", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-key-"));
    try {
      const key = openSessionKey(folder);
      const file = join(folder, "mcp-session.key");
      expect(key).toHaveLength(32);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(openSessionKey(folder)).toEqual(key);
      rmSync(file);
      writeFileSync(file, `${key.toString("base64url")}\n`, { mode: 0o644 });
      const made = openSessionKey(folder);
      expect(made).not.toEqual(key);
      expect(openSessionKey(folder)).toEqual(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
