/** workspace.info: where the project is, on which branch, and where it comes from. */
import { failed } from "../../../core/call/tool-answer.ts";
import { rootOf, workspaceFiles } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { type Git, openGit } from "../git/open-git.ts";
import { closed } from "../input-fields.ts";
import { withoutCredentials } from "./remote-url.ts";

export const info = defineBuiltin("workspace.info", {
  title: "Workspace facts",
  description:
    "Tells the path of the project, its git branch and commit, and the address of its remote without credentials. Outside of a repository branch, commit and remote are null.",
  input: closed([], {}),
  run: async (_, context) => {
    const { cwd, signal } = context;
    const place = await workspaceFiles(context).stat(cwd, { cwd, signal });
    if (!place.ok) return failed(place);
    const projectPath = rootOf(place.absolute, context.roots) ?? place.absolute;
    const git = await openGit(place.absolute, context);
    if ("message" in git) {
      // No repository is no failure; one that is refused says why.
      const note = git.code === "no_repository" ? {} : { note: git.message };
      return { projectPath, branch: null, commit: null, remote: null, ...note };
    }
    const { top, within } = git.repository;
    const branch = await line(git, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
    return {
      projectPath: within.length === 0 ? top : projectPath,
      branch,
      commit: await line(git, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
      remote: await remoteOf(git, branch),
    };
  },
});

/** The remote that the branch follows, else `origin`, else the first. */
async function remoteOf(git: Git, branch: string | null): Promise<string | null> {
  // As configured, not as git would rewrite it: url.*.insteadOf may put credentials in.
  const end = await git.run(["config", "-z", "--get-regexp", "^remote\\..*\\.url$"]);
  if (!end.ok) return null;
  const urls = new Map<string, string>();
  for (const entry of end.stdout.toString().split("\0")) {
    const [, name, url] = /^remote\.(.*)\.url\n(.*)$/s.exec(entry) ?? [];
    if (name !== undefined && url !== undefined && !urls.has(name)) urls.set(name, url);
  }
  const followed = branch === null ? null : await line(git, ["config", "--get", `branch.${branch}.remote`]);
  const url = urls.get(followed ?? "") ?? urls.get("origin") ?? [...urls.values()][0];
  return url === undefined ? null : withoutCredentials(url);
}

async function line(git: Git, args: readonly string[]): Promise<string | null> {
  const end = await git.run(args);
  return end.ok ? end.stdout.toString().trim() : null;
}
