import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedList } from "../../../../src/core/run/indexed-list.ts";

describe("what is under way", () => {
  it("is what was added and not removed, in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(9)), { maxLength: 60 }), (steps) => {
        const items = Array.from({ length: 10 }, (_, name) => ({ name, position: -1 }));
        const list = new IndexedList<(typeof items)[number]>();
        const expected = new Set<(typeof items)[number]>();
        for (const [adds, index] of steps) {
          const item = items[index] as (typeof items)[number];
          // Nothing is added twice; removing twice does nothing.
          if (!adds) list.remove(item);
          else if (!expected.has(item)) list.add(item);
          if (adds) expected.add(item);
          else expected.delete(item);
          expect(new Set(list.all())).toEqual(expected);
          expect(list.size).toBe(expected.size);
        }
      }),
    );
  });
});
