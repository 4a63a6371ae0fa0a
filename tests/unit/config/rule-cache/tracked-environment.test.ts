import { describe, expect, it } from "vitest";
import { trackEnvironment } from "../../../../src/config/rule-cache/tracked-environment.ts";

const real = { HOME: "/home/ann", EMPTY: "", OTHER: "x" };

describe("a tracked environment", () => {
  it("remembers what was asked for, found or not, and nothing else", () => {
    const { env, read } = trackEnvironment(real);
    expect(env.HOME).toBe("/home/ann");
    expect(env.MISSING).toBeUndefined();
    expect("EMPTY" in env).toBe(true);
    expect(read()).toEqual([
      ["EMPTY", ""],
      ["HOME", "/home/ann"],
      ["MISSING", null],
    ]);
  });

  it("remembers everything for who takes everything", () => {
    const { env, read } = trackEnvironment(real);
    expect({ ...env }).toEqual(real);
    expect(read().map(([name]) => name)).toEqual(["EMPTY", "HOME", "OTHER"]);
    const other = trackEnvironment(real);
    expect(Object.hasOwn(other.env, "OTHER")).toBe(true);
    expect(other.read()).toEqual([["OTHER", "x"]]);
  });
});
