/** git.status: what is changed, staged and untracked, as `git status --porcelain` prints it. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import { noteAbout } from "./filter-note.ts";
import { choosePaths, openGitAt } from "./place.ts";

export const status = defineBuiltin("git.status", {
  title: "Git status",
  description:
    "Shows changed, staged and untracked files as git status --porcelain does: two letters (index, work tree) and the path from the top of the repository. Runs no program of the repository.",
  input: closed([], {
    path: nonEmpty("A folder or file to look at. Default: the whole repository."),
  }),
  synonyms: { path: directorySynonyms },
  run: async ({ path }, context) => {
    const git = await openGitAt(path, context);
    if ("message" in git) return failed(git);
    const chosen = choosePaths(git.repository, path === undefined ? [] : [path], context);
    if (!chosen.ok) return failed(chosen);
    const what = ["status", "--porcelain", "--ignore-submodules=dirty", "--", ...chosen.pathspecs];
    const end = await git.run(what);
    if (!end.ok) return failed(end);
    const text = end.stdout.toString().trimEnd();
    const lines = text === "" ? [] : text.split("\n");
    const cut = end.cut ? "\n[There is more; name a folder as path.]" : "";
    const shown = `${text || "Nothing to commit: no changes."}${cut}${noteAbout(git, lines.length > 0)}`;
    return answered(shown, { changes: lines.length, clean: lines.length === 0 });
  },
});
