/** Looks at a repository that miss something, each by a mistake that is easy to make: the traps must notice every one. */
import { expect, it } from "vitest";
import type { LookAtRepository, RepositoryUse } from "../../src/core/ports/repository.ts";
import { inRepository } from "../../src/rules/in-repository.ts";
import { lookAtRepository } from "../../src/safe/files/repository/look-at-repository.ts";
import { judgeCommand } from "../../src/shell/judge.ts";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { type LineTrap, lineTrap, lineTraps } from "./git-line-traps.ts";

/** True when some git command of the line is seen as more than it says. */
function notices(look: LookAtRepository, line: string, root: string): boolean {
  const place = { cwd: root, roots: [root] };
  return judgeCommand(line, place).commands.some(
    (command) => inRepository(command, place, look).problem !== undefined,
  );
}

const without =
  (change: Partial<RepositoryUse>): LookAtRepository =>
  (use, place) =>
    lookAtRepository({ ...use, ...change }, place);

const mutants: readonly (readonly [string, LookAtRepository, string])[] = [
  [
    "looks only where the line starts",
    without({ directories: ["."] }),
    "a bare layout in a folder of the work tree",
  ],
  ["forgets hooks", without({ hooks: [] }), "a hook after a checkout"],
  ["takes every remote for one", without({ remotes: [] }), "a folder named like a remote"],
  ["forgets what comes before", without({ before: "nothing" }), "a bare layout that the line copies"],
  [
    "forgets submodules",
    (use, place) =>
      lookAtRepository({ ...use, parts: use.parts.filter((part) => part !== "submodules") }, place),
    "a submodule that no .gitmodules mentions",
  ],
  ["takes reading for harmless", without({ parts: [] }), "a conversion that blame makes"],
];

describeGit("the traps find a look that", () => {
  it.each(mutants)("%s", (_, mutant, name) => {
    const { world, line } = lineTrap(lineTraps[name] as LineTrap);
    expect(notices(lookAtRepository, line, world.root)).toBe(true);
    expect(notices(mutant, line, world.root)).toBe(false);
  });
});
