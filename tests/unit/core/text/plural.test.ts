import { describe, expect, it } from "vitest";
import { plural } from "../../../../src/core/text/plural.ts";

describe("a number of things", () => {
  it.each([
    [0, "test", undefined, "0 tests"],
    [1, "test", undefined, "1 test"],
    [2, "test", undefined, "2 tests"],
    [1, "test fails", "tests fail", "1 test fails"],
    [3, "policy", "policies", "3 policies"],
  ])("is said with the word that fits: %d %s", (count, one, many, said) => {
    expect(plural(count, one, many)).toBe(said);
  });
});
