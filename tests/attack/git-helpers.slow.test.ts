import { expect, it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { expectNothingRun, springs, trappedWorld } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

const withProof = Object.entries(traps).flatMap(([name, { plain }]) => (plain === undefined ? [] : [name]));

describeGit("a repository that tries to run a program", () => {
  it.each(Object.keys(traps))("does not get it run by %s, whatever is asked", (name) =>
    expectNothingRun(traps[name] as Trap),
  );

  // A trap that catches nobody proves nothing.
  it.each(withProof)("gets it run by plain git: %s", (name) => {
    const trap = traps[name] as Trap;
    expect(springs(trappedWorld(trap), trap)).toBe(true);
  });
});
