import { it } from "vitest";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { expectNothingRun } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

/** Four ways of four kinds; git-helpers.slow has them all. */
const someWays = [
  "a file system monitor",
  "hooks in the work tree",
  "a clean filter",
  "a link to the configuration",
];

describeGit("a repository that tries to run a program", () => {
  it.each(someWays)("does not get it run by %s", (name) => expectNothingRun(traps[name] as Trap, false));
});
