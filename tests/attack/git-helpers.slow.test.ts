import { expect, it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { springs, trappedWorld, useEverything } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

const withProof = Object.entries(traps).flatMap(([name, { plain }]) => (plain === undefined ? [] : [name]));

describeGit("a repository that tries to run a program", () => {
  it.each(Object.keys(traps))("does not get it run by %s, whatever is asked", async (name) => {
    const trap = traps[name] as Trap;
    const used = await useEverything(trappedWorld(trap), trap, true);
    expect(used.filter(({ pwned }) => pwned)).toEqual([]);
    // Not because nothing worked: such a repository can be looked at, or is refused as what it is.
    const looked = used.filter(({ call }) => call.startsWith("git.status")).map(({ code }) => code);
    expect(looked).toContain(trap.refused ?? "ok");
    if (trap.refused !== undefined) expect(used.filter(({ code }) => code === "ok").length).toBeLessThan(2);
  });

  // A trap that catches nobody proves nothing.
  it.each(withProof)("gets it run by plain git: %s", (name) => {
    const trap = traps[name] as Trap;
    expect(springs(trappedWorld(trap), trap)).toBe(true);
  });
});
