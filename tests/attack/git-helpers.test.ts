import { expect, it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld, useEverything } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

/** Four ways of four kinds; git-helpers.slow has them all. */
const someWays = [
  "a file system monitor",
  "hooks in the work tree",
  "a clean filter",
  "a link to the configuration",
];

describeGit("a repository that tries to run a program", () => {
  it.each(someWays)("does not get it run by %s", async (name) => {
    const trap = traps[name] as Trap;
    const used = await useEverything(trappedWorld(trap), trap, false);
    expect(used.filter(({ pwned }) => pwned)).toEqual([]);
    // Not because nothing worked: such a repository can be looked at, or is refused as what it is.
    const looked = used.filter(({ call }) => call.startsWith("git.status")).map(({ code }) => code);
    expect(looked).toContain(trap.refused ?? "ok");
    if (trap.refused !== undefined) expect(used.filter(({ code }) => code === "ok").length).toBeLessThan(2);
  });
});
