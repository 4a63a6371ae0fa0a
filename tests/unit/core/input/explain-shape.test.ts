import { describe, expect, it } from "vitest";
import { explainMisshapen } from "../../../../src/core/input/explain-shape.ts";
import { choice, closed, count, text } from "../../../../src/core/input/shape.ts";

const shape = {
  ...closed(
    { kind: choice(["a", "b", "c"], "Which."), label: text("What."), size: count(1, "How much.") },
    ["kind"],
    "A thing.",
  ),
  others: ["source"],
};

describe("an object that somebody made in code", () => {
  it("has nothing wrong with it if it fits its shape", () => {
    expect(explainMisshapen({ name: "x", kind: "c", size: 1, source: {} }, shape)).toEqual([]);
  });

  it.each([
    [{ kind: "d" }, 'kind must be a, b or c, not "d".'],
    [{}, "kind must be a, b or c, not undefined."],
    [{ kind: "a", label: 3 }, "label must be text, not 3."],
    [{ kind: "a", size: 0 }, "size must be a whole number, not 0."],
    [{ kind: "a", size: 1.5 }, "size must be a whole number, not 1.5."],
    [{ kind: "a", labl: "x" }, 'has an unknown key "labl"; did you mean "label"?'],
    [{ kind: "a", zzz: 1 }, 'has an unknown key "zzz"; it takes name, kind, label, size, source.'],
  ])("%j: %s", (given, message) => {
    expect(explainMisshapen(given, shape)).toEqual([message]);
  });

  it("is not asked about keys that are looked at elsewhere", () => {
    expect(explainMisshapen({ kind: "d" }, { ...shape, unchecked: ["kind"] })).toEqual([]);
  });
});
