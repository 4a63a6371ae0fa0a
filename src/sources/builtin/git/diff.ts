/** git.diff: the changed lines of the work tree, of what is staged, or of a commit. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, type Failure, failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag, wholeNumber } from "../input-fields.ts";
import { noteAbout } from "./filter-note.ts";
import { diffOptions } from "./hardening.ts";
import type { Git } from "./open-git.ts";
import { choosePaths, openGitAt } from "./place.ts";
import { leaveOutProtected } from "./protected-files.ts";
import { findRevision, revisionSchema } from "./revision.ts";

export const diff = defineBuiltin("git.diff", {
  title: "Git diff",
  description:
    "Shows changed lines as a unified diff: of tracked files in the work tree; with staged, of what is staged; with base, against that commit; " +
    "with commit, what that commit changed, or between two (main..topic, main...topic). Protected files such as .env are left out.",
  input: closed([], {
    staged: flag("What is staged for the next commit. Default false."),
    paths: {
      type: "array",
      items: { type: "string", minLength: 1 },
      maxItems: 200,
      description: "Files and folders to look at. Default: all.",
    },
    commit: { ...revisionSchema, description: "A commit, or two with .. or ... between them." },
    base: { ...revisionSchema, description: "Compare with this commit instead of the last one." },
    contextLines: wholeNumber(0, 1_000, "Lines around a change. Default 3."),
  }),
  synonyms: { staged: ["cached"] },
  adapt: fromOnePath,
  validate: ({ staged, commit, base }) => {
    if (commit !== undefined && (staged !== undefined || base !== undefined))
      return "commit is about history: give it without staged and base.";
    return undefined;
  },
  run: async (args, context) => {
    const git = await openGitAt(undefined, context);
    if ("message" in git) return failed(git);
    const chosen = choosePaths(git.repository, args.paths ?? [], context);
    if (!chosen.ok) return failed(chosen);
    const what = await whatToCompare(git, args);
    if ("message" in what) return failed(what);
    return show(git, what, args.contextLines ?? 3, chosen.pathspecs);
  },
});

interface Compared {
  readonly command: "diff" | "show";
  readonly args: readonly string[];
  readonly nothing: string;
}

interface Asked {
  readonly staged?: boolean;
  readonly commit?: string;
  readonly base?: string;
}

async function whatToCompare(git: Git, { staged = false, commit, base }: Asked): Promise<Compared | Failure> {
  if (commit === undefined) {
    const index = staged ? ["--cached"] : [];
    const nothing = staged
      ? "Nothing is staged."
      : "No changes in tracked files; git.status lists untracked ones.";
    if (base === undefined) return { command: "diff", args: index, nothing };
    const found = await findRevision(git, base);
    if (!found.ok) return found;
    if (found.kind === "range")
      return { code: "bad_revision", message: "base takes one commit; give a range as commit." };
    return { command: "diff", args: [...index, found.id], nothing: "No differences." };
  }
  const found = await findRevision(git, commit);
  if (!found.ok) return found;
  const nothing = "It changes nothing here.";
  // A merge against its first parent: what it brought.
  if (found.kind === "commit")
    return { command: "show", args: ["--format=", "-m", "--first-parent", found.id], nothing };
  if (found.dots === "..")
    return { command: "diff", args: [found.from, found.to], nothing: "No differences." };
  const parted = await git.run(["merge-base", found.from, found.to]);
  if (!parted.ok)
    return { code: "bad_revision", message: "The two commits have no common ancestor; use .. between them." };
  return { command: "diff", args: [parted.stdout.toString().trim(), found.to], nothing: "No differences." };
}

async function show(
  git: Git,
  { command, args, nothing }: Compared,
  contextLines: number,
  pathspecs: readonly string[],
): Promise<ToolResult> {
  const common = [command, ...diffOptions];
  const names = await git.run([...common, "--name-only", "-z", "--no-renames", ...args, "--", ...pathspecs]);
  if (!names.ok) return failed(names);
  if (names.cut)
    return failed("Too many files differ to show. Name some of them in paths; git.diff_summary lists them.");
  const guarded = leaveOutProtected(names.stdout, git.repository.top);
  if ("message" in guarded) return failed(guarded);
  const format = ["--patch", `--unified=${contextLines}`, "--src-prefix=a/", "--dst-prefix=b/"];
  const end = await git.run([...common, ...format, ...args, "--", ...pathspecs, ...guarded.pathspecs]);
  if (!end.ok) return failed(end);
  const text = end.stdout.toString().replace(/^\n+|\n$/g, "");
  const notes = guarded.leftOut.map((path) => `[Left out: ${path} is protected.]`);
  if (end.cut) notes.push("[The difference is longer than this; name files in paths.]");
  const body = text === "" && notes.length === 0 ? nothing : text;
  const shown = [body, ...notes].filter((part) => part !== "").join("\n");
  const note = noteAbout(git, command === "diff" && text !== "");
  const files = guarded.count - guarded.leftOut.length;
  return answered(`${shown}${note}`, { files, leftOut: guarded.leftOut, truncated: end.cut });
}

function fromOnePath({ path, ...rest }: JsonObject): JsonObject | string {
  if (path === undefined) return rest;
  return rest.paths === undefined ? { ...rest, paths: [path] } : "give either path or paths";
}
