/** What a repository adds to a git command: files that its paths stand for, and programs that git runs. */
import type { JudgedCommand } from "../core/ports/command.ts";
import type { LookAtRepository } from "../core/ports/repository.ts";

interface InRepository {
  readonly command: JudgedCommand;
  /** Why it is more than the line says. */
  readonly problem?: string;
}

export function inRepository(
  command: JudgedCommand,
  place: { readonly cwd: string; readonly roots: readonly string[] },
  look: LookAtRepository | undefined,
): InRepository {
  const { repository, risk } = command;
  if (repository === undefined) return { command };
  const view = look?.(repository, place) ?? unseen;
  const paths = {
    reads: [...command.reads, ...view.reads],
    writes: [...command.writes, ...view.writes],
    unknownPaths: command.unknownPaths || view.unknownPaths,
  };
  if (view.problem === undefined) return { command: { ...command, ...paths } };
  return {
    command: { ...command, ...paths, risk: risk === "opaque" ? risk : "execute" },
    problem: `the repository decides what git runs: ${view.problem}`,
  };
}

const unseen = { reads: [], writes: [], unknownPaths: true, problem: "nobody can look at it" };
