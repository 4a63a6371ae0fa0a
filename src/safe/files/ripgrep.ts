/** Runs ripgrep, if installed, to find files that may hold a match. A hint: its user reads them again. */
import { LineReader } from "../../core/text/line-reader.ts";
import { runProcess } from "../process/spawn.ts";

export interface CandidateSearch {
  /** In ripgrep's own syntax. */
  readonly pattern: string;
  /** The root that holds the folder; relative paths start here. */
  readonly root: string;
  /** Relative to the root, with /; empty for the root itself. */
  readonly folder: string;
  readonly hidden: boolean;
  /** Also what .gitignore files leave out. */
  readonly ignored: boolean;
  /** Name patterns such as `*.ts`: only files with such names. Empty: all. */
  readonly names: readonly string[];
  /** Folders that are never entered. */
  readonly skip: readonly string[];
  readonly signal: AbortSignal;
}

export type CandidateEnd =
  | { readonly ok: true }
  | { readonly ok: false; readonly cancelled: boolean; readonly message: string };

/** The program of the package `@vscode/ripgrep`; undefined where there is none for this platform. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

/** Tells the paths, relative to the root with /, in no order. */
export async function findCandidates(
  program: string,
  search: CandidateSearch,
  onPath: (path: string) => void,
): Promise<CandidateEnd> {
  const paths = new LineReader(
    Number.POSITIVE_INFINITY,
    { line: (path) => onPath(path.replace(/^\.\//, "")), tooLong: () => {} },
    "\0",
  );
  const end = await runProcess({
    command: program,
    args: argumentsFor(search),
    cwd: search.root,
    signal: search.signal,
    killGraceMs: 200,
    timeoutMs: 600_000,
    // Only messages are kept; paths go straight to the reader.
    maxOutputBytes: 8 * 1024,
    hardMaxBytes: Number.MAX_SAFE_INTEGER,
    onOutput: (chunk, stream) => {
      if (stream === "stdout") paths.take(chunk);
    },
  });
  if (!end.started) return { ok: false, cancelled: end.code === "aborted", message: end.message };
  if (end.aborted || end.timedOut)
    return { ok: false, cancelled: true, message: "The search was cancelled." };
  // 1: nothing found. 2 and silent: a file could not be read. 2 with words: the pattern is too large.
  const ok = end.exitCode === 0 || end.exitCode === 1 || (end.exitCode === 2 && end.stderr === "");
  return ok ? { ok } : { ok, cancelled: false, message: end.stderr };
}

function argumentsFor({ pattern, folder, hidden, ignored, names, skip }: CandidateSearch): string[] {
  return [
    "--no-config",
    "--no-messages",
    "--files-with-matches",
    "--null",
    "--color=never",
    "--no-follow",
    // Only the .gitignore files of the workspace count, whether or not it is a repository.
    ...(ignored
      ? ["--no-ignore"]
      : [
          "--no-require-git",
          "--no-ignore-parent",
          "--no-ignore-dot",
          "--no-ignore-exclude",
          "--no-ignore-global",
          ...(folder === "" ? [] : ["--ignore-file=.gitignore"]),
        ]),
    ...(hidden ? ["--hidden"] : ["--no-hidden"]),
    ...skip.map((name) => `--glob=!${name}`),
    ...names.map((name) => `--type-add=wanted:${name}`),
    ...(names.length > 0 ? ["--type=wanted"] : []),
    `--regexp=${pattern}`,
    "--",
    `./${folder}`,
  ];
}
