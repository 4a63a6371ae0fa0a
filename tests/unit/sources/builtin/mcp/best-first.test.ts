import { describe, expect, it } from "vitest";
import { best, together } from "../../../../../src/sources/builtin/mcp/best-first.ts";

describe("the best of many scores", () => {
  it("come in order, at most as many as asked for, without those that have none", () => {
    expect(best(Float64Array.of(0, 3, 9, 0, 5, 9), 3)).toEqual([
      { place: 2, score: 9 },
      { place: 5, score: 9 },
      { place: 4, score: 5 },
    ]);
    expect(best(Float64Array.of(0, 1, 0), 5)).toEqual([{ place: 1, score: 1 }]);
    expect(best(Float64Array.of(0, 0), 5)).toEqual([]);
  });
});

describe("several lists together", () => {
  it("let the best of each stand before the lower ones of a list with higher scores", () => {
    const loud = [10, 9.9, 9.8, 9.7, 9.6].map((score, place) => ({ place, score }));
    const other = [{ place: 9, score: 6 }];
    const places = together([loud, other], 4).map(({ place }) => place);
    expect(places).toEqual([0, 1, 9, 2]);
  });

  it("name each place once, with its best score", () => {
    const lists = [[{ place: 1, score: 2 }], [{ place: 1, score: 5 }]];
    expect(together(lists, 4)).toEqual([{ place: 1, score: 5 }]);
  });
});
