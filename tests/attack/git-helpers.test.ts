import { expect, it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld, useEverything } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

/** One of each kind, those that find the mistakes of git-mutants among them. git-helpers.slow has them all. */
const oneOfEach = [
  "a file system monitor",
  "the hook reference-transaction",
  "hooks in the work tree",
  "an external diff",
  "a conversion to text",
  "a clean filter",
  "a filter with an equals sign",
  "a filter by private attributes",
  "a submodule with programs of its own",
  "a bare repository in the work tree",
  "signatures shown in the log",
  "a partial clone from a program",
  "a link to the configuration",
];

describeGit("a repository that tries to run a program", () => {
  it.each(oneOfEach)("does not get it run by %s", async (name) => {
    const trap = traps[name] as Trap;
    const used = await useEverything(trappedWorld(trap), trap, false);
    expect(used.filter(({ pwned }) => pwned)).toEqual([]);
    // Not because nothing worked: such a repository can be looked at, or is refused as what it is.
    const looked = used.filter(({ call }) => call.startsWith("git.status")).map(({ code }) => code);
    expect(looked).toContain(trap.refused ?? "ok");
    if (trap.refused !== undefined) expect(used.filter(({ code }) => code === "ok").length).toBeLessThan(2);
  });
});
