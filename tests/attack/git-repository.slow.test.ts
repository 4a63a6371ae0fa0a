/** Repositories that choose what git runs: a git command in one of them is no longer what its name says, whoever approved the name. */
import { expect, it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld } from "./git-everything.ts";
import { lineTrap, lineTraps } from "./git-line-traps.ts";
import { type Trap, traps } from "./git-traps.ts";
import { springs, verdictsIn } from "./git-verdicts.ts";

describeGit("a repository that chooses what git runs", () => {
  const plain = Object.entries(traps).flatMap(([name, trap]) =>
    (trap.plain ?? []).map((args): [string, string, Trap] => [name, ["git", ...args].join(" "), trap]),
  );

  it.each(plain)("gets nothing approved: %s, %s", async (_, line, trap) => {
    const world = trappedWorld(trap);
    expect(await verdictsIn(world.root, [line])).toEqual([`ask ask ${line}`]);
  });

  it.each(Object.entries(lineTraps))("gets nothing approved by %s", async (_, trap) => {
    const { world, line } = lineTrap(trap);
    expect(await verdictsIn(world.root, [line])).toEqual([`ask ask ${line}`]);
    // It is one: the same line, run by a shell, starts the program.
    expect(springs(world, line)).toBe(true);
  });
});
