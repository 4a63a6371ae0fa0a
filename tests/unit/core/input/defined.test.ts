import { describe, expect, it } from "vitest";
import { defined } from "../../../../src/core/input/defined.ts";

describe("a copy without undefined fields", () => {
  it("keeps everything else, also null, false, 0 and empty text", () => {
    const copy = defined({ a: null, b: false, c: 0, d: "", e: undefined, f: [undefined] });
    expect(Object.entries(copy)).toEqual([
      ["a", null],
      ["b", false],
      ["c", 0],
      ["d", ""],
      ["f", [undefined]],
    ]);
  });

  it("leaves what it was given as it is", () => {
    const given = { a: undefined };
    expect(defined(given)).toEqual({});
    expect("a" in given).toBe(true);
  });
});
