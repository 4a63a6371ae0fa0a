import { describe, expect, it } from "vitest";
import { ReplayBudgets } from "../../../../../src/surfaces/mcp/http/replay-budget.ts";

function world() {
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
    const { shelves, dropped, keep } = world();
    keep("b", "another's", 90);
    keep("a", "first", 40);
    keep("a", "second", 40);
    keep("a", "third", 40);
    expect([dropped, shelves.bytes]).toEqual([["first"], 170]);
  });

  it("is not pushed out by what could never be kept", () => {
    const { shelves, dropped, keep } = world();
    keep("a", "small", 40);
    keep("a", "large", 101);
    expect([dropped, shelves.bytes]).toEqual([["large"], 40]);
  });

  it("has a bound for all callers together", () => {
    const { shelves, dropped, keep } = world();
    for (const caller of ["a", "b", "c", "d"]) keep(caller, `of ${caller}`, 80);
    expect([dropped, shelves.bytes]).toEqual([["of a"], 240]);
  });

  it("counts as what it is now, and no more when it was taken", () => {
    const { shelves, dropped, keep } = world();
    const put = keep("a", "one", 10);
    put(60);
    expect(shelves.bytes).toBe(60);
    put(0);
    put(0);
    keep("a", "other", 100);
    expect([dropped, shelves.bytes]).toEqual([[], 100]);
  });
});
