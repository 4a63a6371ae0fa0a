/** Takes changed files into an index one by one. No folder is added, so no other repository is opened. */
import type { Failure } from "../../../../core/call/tool-answer.ts";
import { filesOnDisk, namesIn, shownNames, toInput, updateIndex } from "../files-on-disk.ts";
import { type Git, maxListBytes } from "../open-git.ts";
import { leaveOutProtected } from "../protected-files.ts";

export interface Staging {
  readonly present: readonly string[];
  readonly gone: readonly string[];
  /** Said to the caller. */
  readonly notes: readonly string[];
}

const tooMany: Failure = {
  code: "too_many_files",
  message: "Too many files have changed; commit them in parts, by paths.",
};

/** `named`: paths from the top that the call itself names; the gate has judged them, protected or not. */
export async function whatToStage(
  git: Git,
  pathspecs: readonly string[],
  named: readonly string[],
): Promise<Staging | Failure> {
  const listed = await git.run(
    ["ls-files", "-z", "--modified", "--others", "--deleted", "--exclude-standard", "--", ...pathspecs],
    { maxBytes: maxListBytes },
  );
  if (!listed.ok) return listed;
  if (listed.cut) return tooMany;
  const guarded = leaveOutProtected(listed.stdout, git.repository.top);
  if ("message" in guarded) return guarded;
  const kept = guarded.leftOut.filter((path) => !named.includes(path));
  const left = new Set(kept.map((path) => Buffer.from(path).toString("latin1")));
  const names = namesIn(listed.stdout).filter((name) => !left.has(name));
  const { present, gone, folders } = await filesOnDisk(git.repository.top, names);
  const filtered = await findFiltered(git, present);
  if (filtered !== undefined) return filtered;
  const notes: string[] = [];
  if (kept.length > 0)
    notes.push(
      `[Not committed, because protected: ${kept.join(", ")}. Name such a file in paths if it is meant.]`,
    );
  if (folders.length > 0)
    notes.push(`[Not committed, because repositories of their own: ${shownNames(folders)}.]`);
  return { present, gone, notes };
}

export function stage(
  git: Git,
  staging: Staging,
  env: Readonly<Record<string, string>> = {},
): Promise<Failure | undefined> {
  return updateIndex((args, options) => git.run(args, { ...options, env, timeoutMs: 120_000 }), staging);
}

/** A file that a filter should have converted (large files, encryption) must not get into history raw. */
async function findFiltered(git: Git, names: readonly string[]): Promise<Failure | undefined> {
  if (git.filters.length === 0 || names.length === 0) return undefined;
  const question = { input: toInput(names), maxBytes: maxListBytes };
  const end = await git.run(["check-attr", "-z", "--stdin", "filter"], question);
  if (!end.ok) return end;
  if (end.cut) return tooMany;
  const fields = end.stdout.toString("latin1").split("\0");
  const filters = new Set(git.filters.map((name) => Buffer.from(name).toString("latin1")));
  const found: string[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (filters.has(fields[at + 2] ?? "")) found.push(fields[at] ?? "");
  if (found.length === 0) return undefined;
  const message = `Not committed: ${shownNames(found)} would go through a filter of the repository, which runs a program. Commit it in a terminal, or leave it out with paths; the operator can allow such programs (runCommitPrograms).`;
  return { code: "needs_program", message };
}
