import { describe, expect, it } from "vitest";
import type { AnswerStream } from "../../../../../src/surfaces/http/answer.ts";
import { type KeptStream, MessageStream } from "../../../../../src/surfaces/mcp/http/message-stream.ts";
import { ReplayBudgets } from "../../../../../src/surfaces/mcp/http/replay-budget.ts";
import { createFakeClock } from "../../../../../src/testing/index.ts";

const bounds = { maxEvents: 4, maxBytes: 10_000 };

function reader() {
  const ending = new AbortController();
  let text = "";
  const out: AnswerStream = {
    write(piece) {
      text += String(piece);
      return true;
    },
    drained: async () => {},
    waitingBytes: 0,
    signal: ending.signal,
  };
  return {
    out,
    leave: () => ending.abort(),
    signal: ending.signal,
    get data() {
      return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data);
    },
    get text() {
      return text;
    },
  };
}

function keptWorld() {
  const shelves = new ReplayBudgets({ ofCaller: 10_000, ofAll: 10_000 });
  return { shelves, ...world({ put: shelves.of("somebody"), lostAnswer: () => "lost" }) };
}

function world(kept?: KeptStream) {
  const clock = createFakeClock();
  const stream = new MessageStream("7", bounds, kept);
  const read = (one: ReturnType<typeof reader>, after = 0, more = {}) =>
    stream.writeTo({ out: one.out, after, signal: one.signal, clock, heartbeatMs: 15_000, ...more });
  return { clock, stream, read };
}

describe("a stream of messages", () => {
  it("says first where a client may come back to", async () => {
    const { clock, stream, read } = world();
    const one = reader();
    const done = read(one, 0, { prime: { retryMs: 1_000 } });
    stream.push("1");
    await clock.advance(0);
    stream.end();
    expect(await done).toBe(true);
    expect(one.text).toBe("id: 7-0\nretry: 1000\ndata: \n\nid: 7-1\ndata: 1\n\n");
    expect(clock.waitingTimers).toBe(0);
  });

  it("goes on after the last one that was seen", async () => {
    const { clock, stream, read } = world();
    const first = reader();
    const left = read(first);
    stream.push("1");
    await clock.advance(0);
    first.leave();
    expect(await left).toBe(false);
    stream.push("2");
    stream.push("3");
    stream.end();
    const second = reader();
    expect(await read(second, 1)).toBe(true);
    expect([first.data, second.data]).toEqual([["1"], ["2", "3"]]);
  });

  it("is read by whoever came last", async () => {
    const { clock, stream, read } = world();
    const [first, second] = [reader(), reader()];
    const replaced = read(first);
    await clock.advance(0);
    const current = read(second);
    expect(await replaced).toBe(false);
    stream.push("1");
    stream.end();
    expect(await current).toBe(true);
    expect([first.data, second.data]).toEqual([[], ["1"]]);
  });

  it("drops what nobody reads, and never the newest", async () => {
    const { stream, read } = world();
    for (let index = 1; index <= 10; index++) stream.push(String(index));
    stream.push(`"${"x".repeat(20_000)}"`);
    stream.end();
    const one = reader();
    await read(one);
    expect(one.data).toHaveLength(1);
    expect(one.data[0]).toHaveLength(20_002);
  });

  it("counts what it holds from when its reader has left until another one comes", async () => {
    const { clock, shelves, stream, read } = keptWorld();
    const first = reader();
    const left = read(first);
    stream.push('"while it is read"');
    await clock.advance(0);
    expect(shelves.bytes).toBe(0);
    first.leave();
    await left;
    const held = shelves.bytes;
    expect(held).toBeGreaterThan(0);
    stream.answer('"the answer"');
    expect(shelves.bytes).toBeGreaterThan(held);
    const second = reader();
    expect(await read(second, 1)).toBe(true);
    expect([second.data, shelves.bytes]).toEqual([['"the answer"'], 0]);
  });

  it("tells whoever comes back that the answer was too large to be kept", async () => {
    const { clock, shelves, stream, read } = keptWorld();
    const first = reader();
    const left = read(first);
    stream.push("1");
    await clock.advance(0);
    first.leave();
    await left;
    stream.answer(`"${"x".repeat(20_000)}"`);
    expect(shelves.bytes).toBe(0);
    const second = reader();
    expect(await read(second, 1)).toBe(true);
    expect(second.text).toBe("id: 7-2\ndata: lost\n\n");
  });

  it("gives a large answer to whoever stays", async () => {
    const { clock, stream, read } = keptWorld();
    const one = reader();
    stream.push("1");
    stream.answer(`"${"x".repeat(20_000)}"`);
    const done = read(one);
    await clock.advance(0);
    expect(await done).toBe(true);
    expect(one.data.at(-1)).toHaveLength(20_002);
  });

  it("counts nothing any more once nobody can come back to it", async () => {
    const { shelves, stream, read } = keptWorld();
    stream.leave();
    stream.push("1");
    expect(shelves.bytes).toBeGreaterThan(0);
    stream.forget();
    const gone = reader();
    gone.leave();
    await read(gone);
    stream.push("2");
    expect(shelves.bytes).toBe(0);
  });

  it("shows that it is there while nothing happens, and is left in time", async () => {
    const { clock, read } = world();
    const one = reader();
    const done = read(one, 0, { maxMs: 40_000 });
    await clock.advance(40_000);
    expect(await done).toBe(false);
    expect(one.text).toBe(": heartbeat\n\n: heartbeat\n\n");
    expect(clock.waitingTimers).toBe(0);
  });

  it("is ended for whoever is no longer allowed to read it, also while there is always something to tell", async () => {
    const { clock, stream, read } = world();
    const one = reader();
    let isAllowed = true;
    const done = read(one, 0, { isStillAllowed: () => isAllowed });
    for (let at = 1; at <= 40; at++) {
      if (at === 20) isAllowed = false;
      stream.push(String(at));
      await clock.advance(1_000);
    }
    expect(await done).toBe(false);
    expect(one.data.length).toBeGreaterThanOrEqual(20);
    expect(one.data.length).toBeLessThan(36);
    expect(clock.waitingTimers).toBe(0);
  });
});

function shelfWorld() {
  const shelves = new ReplayBudgets({ ofCaller: 100, ofAll: 250 });
  const dropped: string[] = [];
  const keep = (caller: string, name: string, bytes: number) => {
    const put = shelves.of(caller);
    const one = {
      drop() {
        dropped.push(name);
        put(one, 0);
      },
    };
    put(one, bytes);
    return (now: number) => put(one, now);
  };
  return { shelves, dropped, keep };
}

describe("what is kept for clients that are gone", () => {
  it("is dropped when a caller has too much of it: the oldest of its own first", () => {
    const { shelves, dropped, keep } = shelfWorld();
    keep("b", "another's", 90);
    keep("a", "first", 40);
    keep("a", "second", 40);
    keep("a", "third", 40);
    expect([dropped, shelves.bytes]).toEqual([["first"], 170]);
  });

  it("is not pushed out by what could never be kept", () => {
    const { shelves, dropped, keep } = shelfWorld();
    keep("a", "small", 40);
    keep("a", "large", 101);
    expect([dropped, shelves.bytes]).toEqual([["large"], 40]);
  });

  it("has a bound for all callers together", () => {
    const { shelves, dropped, keep } = shelfWorld();
    for (const caller of ["a", "b", "c", "d"]) keep(caller, `of ${caller}`, 80);
    expect([dropped, shelves.bytes]).toEqual([["of a"], 240]);
  });

  it("counts as what it is now, and no more when it was taken", () => {
    const { shelves, dropped, keep } = shelfWorld();
    const put = keep("a", "one", 10);
    put(60);
    expect(shelves.bytes).toBe(60);
    put(0);
    put(0);
    keep("a", "other", 100);
    expect([dropped, shelves.bytes]).toEqual([[], 100]);
  });
});
