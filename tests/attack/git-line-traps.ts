/** Repositories in which a line that looks harmless starts a program. Unlike those of `git-traps.ts` the line matters, too. */
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { git } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld } from "./git-everything.ts";
import { config, put, type World } from "./git-traps.ts";

/** What every folder can look like: no file of it is called `.git`. */
function bareLayout(world: World, folder: string): void {
  for (const inner of ["objects", "refs"]) put(world, `${folder}/${inner}/keep`, "");
  put(world, `${folder}/HEAD`, "ref: refs/heads/main\n");
  put(
    world,
    `${folder}/config`,
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${world.trap}\n`,
  );
}

/** Set after the world is made; `line` springs it with a plain git. */
export interface LineTrap {
  set(world: World): void;
  readonly line: string;
}

export const lineTraps: Readonly<Record<string, LineTrap>> = {
  "a bare layout in a folder of the work tree": {
    set: (world) => bareLayout(world, "docs"),
    line: "cd docs && git status",
  },
  "a bare layout further up": {
    set: (world) => {
      bareLayout(world, "docs");
      put(world, "docs/a/b/x.txt", "x");
    },
    line: "cd docs/a/b && git status",
  },
  "a bare layout at the top of the work tree": {
    set: (world) => {
      renameSync(join(world.root, ".git"), join(world.base, "moved"));
      bareLayout(world, "");
      put(
        world,
        "config",
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = sub\n\tfsmonitor = ${world.trap}\n`,
      );
    },
    line: "git status",
  },
  "a HEAD that is a link": {
    set: (world) => {
      bareLayout(world, "docs");
      renameSync(join(world.root, "docs/HEAD"), join(world.root, "docs/OLD"));
      symlinkSync("refs/heads/main", join(world.root, "docs/HEAD"));
    },
    line: "cd docs && git status",
  },
  ".git/commondir": {
    set: (world) => {
      git(world.root, "init", "-q", "other");
      const other = { ...world, root: join(world.root, "other") };
      config(other, `[core]\n\tfsmonitor = ${world.trap}`);
      put(world, ".git/commondir", "../other/.git\n");
    },
    line: "git status",
  },
  "a key on the line of its section": {
    set: (world) => config(world, `[core] fsmonitor = ${world.trap}`),
    line: "git status",
  },
  "a section in capitals, a value over two lines": {
    set: (world) => config(world, `[CORE]\n\tFsMonitor = ${world.base}/\\\ntrap.sh # harmless`),
    line: "git status",
  },
  "an include of an include": {
    set: (world) => {
      put(world, "docs/one", "[include]\n\tpath = two\n");
      put(world, "docs/two", `[core]\n\tfsmonitor = ${world.trap}\n`);
      config(world, "[include]\n\tpath = ../docs/one");
    },
    line: "git status",
  },
  "a submodule that no .gitmodules mentions": {
    set: (world) => {
      git(world.root, "init", "-q", "inner");
      const inner = { ...world, root: join(world.root, "inner") };
      put(inner, "x.txt", "one\n");
      git(inner.root, "add", "-A");
      git(inner.root, "commit", "-qm", "inner");
      git(world.root, "add", "inner");
      config(inner, `[core]\n\tfsmonitor = ${world.trap}`);
    },
    line: "git status",
  },
  "a conversion that blame makes": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt diff=d\n");
      config(world, `[diff "d"]\n\ttextconv = ${world.trap}`);
    },
    line: "git blame g.txt",
  },
  "a filter that git add runs": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt filter=t\n");
      config(world, `[filter "t"]\n\tclean = ${world.trap}`);
    },
    line: "git add f.txt",
  },
  "a hook after a checkout": {
    set: (world) => put(world, ".git/hooks/post-checkout", `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755),
    line: "git checkout -q -b other",
  },
  "a hook that a log of the index runs": {
    set: (world) => put(world, ".git/hooks/post-index-change", `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755),
    line: "touch -d yesterday sub/h.txt && git status",
  },
  "a folder named like a remote": {
    set: (world) => {
      git(world.root, "init", "-q", "--bare", "backup");
      put(world, "backup/hooks/post-receive", `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755);
    },
    line: "git push -q backup HEAD:refs/heads/x",
  },
  "a remote that is a folder": {
    set: (world) => {
      git(world.root, "init", "-q", "--bare", "backup");
      put(world, "backup/hooks/post-receive", `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755);
      config(world, '[remote "origin"]\n\turl = ./backup');
    },
    line: "git push -q origin HEAD:refs/heads/x",
  },
  "a branch whose remote is a program": {
    set: (world) =>
      config(
        world,
        `[branch "main"]\n\tremote = ext::sh ${world.quiet}\n\tmerge = refs/heads/main\n[protocol "ext"]\n\tallow = always`,
      ),
    line: "git fetch",
  },
  "a remote in .git/remotes": {
    set: (world) => {
      put(world, ".git/remotes/origin", `URL: ext::sh ${world.quiet}\n`);
      config(world, '[protocol "ext"]\n\tallow = always');
    },
    line: "git fetch origin",
  },
  "an address that stands for another": {
    set: (world) =>
      config(
        world,
        `[remote "origin"]\n\turl = https://example.com/x\n[url "ext::sh ${world.quiet} "]\n\tinsteadOf = https://example.com/\n[protocol "ext"]\n\tallow = always`,
      ),
    line: "git fetch origin",
  },
  "steps of a rebase under way": {
    set: (world) => {
      git(world.root, "checkout", "-qf", "HEAD");
      git(
        world.root,
        "-c",
        `sequence.editor=sh -c 'printf "break\\nexec ${world.quiet}\\n" > "$1"' x`,
        "rebase",
        "-i",
        "HEAD~1",
      );
    },
    line: "git rebase --continue",
  },
  "a command for trailers": {
    set: (world) => {
      git(world.root, "add", "-A");
      config(world, `[trailer "x"]\n\tcmd = ${world.quiet}`);
    },
    line: "git commit -qm x --trailer x=y",
  },
  "a bare layout that the line copies": {
    set: (world) => {
      bareLayout(world, "evil");
      put(world, "docs/a.md", "a");
    },
    line: "cp -r evil/. docs/ && cd docs && git status",
  },
  "a bare layout that the line moves, piece by piece": {
    set: (world) => {
      bareLayout(world, "evil");
      put(world, "docs/a.md", "a");
    },
    line: "mv evil/HEAD evil/config evil/objects evil/refs docs; cd docs; git status",
  },
  "a bare layout in place of a folder": {
    set: (world) => {
      bareLayout(world, "evil");
      put(world, "docs/a.md", "a");
    },
    line: "mv docs old; mv evil docs; cd docs; git status",
  },
  "a bare layout in a folder that is not there yet": {
    set: (world) => bareLayout(world, "evil"),
    line: "mv evil docs; cd docs; git status",
  },
  "a bare layout from another branch": {
    set: (world) => {
      put(world, "docs/a.md", "a");
      git(world.root, "add", "-A");
      git(world.root, "commit", "-qm", "docs");
      git(world.root, "checkout", "-qb", "evil");
      bareLayout(world, "docs");
      git(world.root, "add", "-A");
      git(world.root, "commit", "-qm", "layout");
      git(world.root, "checkout", "-q", "main");
      mkdirSync(join(world.root, "docs"), { recursive: true });
    },
    line: "git checkout -q evil && cd docs && git status",
  },
  "a hook that the line copies": {
    set: (world) => {
      put(world, ".githooks/readme", "");
      config(world, "[core]\n\thooksPath = .githooks");
      put(world, "tool.sh", `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755);
    },
    line: "cp tool.sh .githooks/post-index-change && touch -d yesterday sub/h.txt && git status",
  },
  "configuration that the line copies": {
    set: (world) => {
      put(world, "dev/settings", "");
      put(world, "dev/other", `[core]\n\tfsmonitor = ${world.trap}\n`);
      config(world, "[include]\n\tpath = ../dev/settings");
    },
    line: "cp dev/other dev/settings && git status",
  },
  "a list of patterns that is a secret": {
    set: (world) => {
      put(world, ".env", `touch ${world.pwned}\n`);
      config(world, "[blame]\n\tignoreRevsFile = .env");
    },
    line: `git blame g.txt 2>&1 | grep -q touch && touch '$PWNED'`,
  },
};

export function lineTrap(trap: LineTrap): { readonly world: World; readonly line: string } {
  const world = trappedWorld({ set: () => {} }, trap.set);
  return { world, line: trap.line.replace("$PWNED", world.pwned) };
}
