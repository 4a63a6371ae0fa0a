/** git.diff_summary: how much is changed in which file, as `git diff --stat` prints it. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed, flag, nonEmpty } from "../input-fields.ts";
import { noteAbout } from "./filter-note.ts";
import { diffOptions } from "./hardening.ts";
import { choosePaths, openGitAt } from "./place.ts";

export const diffSummary = defineBuiltin("git.diff_summary", {
  title: "Git diff summary",
  description:
    "Shows how many lines are changed in which tracked file, as git diff --stat does; with staged, what is staged for the next commit. git.diff shows the lines.",
  input: closed([], {
    staged: flag("What is staged instead of what is not. Default false."),
    path: nonEmpty("A folder or file to look at. Default: the whole repository."),
  }),
  synonyms: { path: directorySynonyms, staged: ["cached"] },
  run: async ({ staged = false, path }, context) => {
    const git = await openGitAt(path, context);
    if ("message" in git) return failed(git);
    const chosen = choosePaths(git.repository, path === undefined ? [] : [path], context);
    if (!chosen.ok) return failed(chosen);
    const what = staged ? ["--cached"] : [];
    const end = await git.run(["diff", "--stat", ...diffOptions, ...what, "--", ...chosen.pathspecs]);
    if (!end.ok) return failed(end);
    const text = end.stdout.toString().trimEnd();
    if (text === "")
      return staged
        ? "Nothing is staged."
        : "No unstaged changes in tracked files; git.status lists untracked ones.";
    return `${text}${end.cut ? "\n[There is more; name a folder as path.]" : ""}${noteAbout(git, true)}`;
  },
});
