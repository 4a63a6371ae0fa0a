/** A git command as the repository makes it: the files its paths stand for, and whether git would run a program of the repository's choice. */
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
