/** What an ordinary repository must stay; `git-repository.slow` has the others. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeGit, git } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld } from "./git-everything.ts";
import { type LineTrap, lineTrap, lineTraps } from "./git-line-traps.ts";
import { put } from "./git-traps.ts";
import { verdictsIn, verdictsOf } from "./git-verdicts.ts";

const inFolder = /cd (\S+)(?: &&|;) git status$/;

const reading = [
  "git status",
  "git status -sb",
  "git status --porcelain=v1 -z",
  "git status -uno",
  "git log --oneline -5",
  "git log",
  "git log -p -- f.txt",
  "git log --graph --all --decorate --oneline",
  "git log --since='2 days ago' --author=me --no-merges",
  "git log --pretty=format:'%h %an %s' --date=short",
  "git log --format=%H -n 1",
  "git log -S foo --stat",
  "git log -L 1,1:f.txt",
  "git log main --first-parent --follow -- sub/h.txt",
  "git log --grep=fix -i",
  "git log HEAD~1..HEAD",
  "git diff",
  "git diff HEAD~1 -- sub",
  "git diff --cached",
  "git diff --staged --stat",
  "git diff --name-only HEAD~1 HEAD",
  "git diff main...HEAD",
  "git diff -U5 -w HEAD",
  "git diff --word-diff f.txt",
  "git diff --no-index f.txt g.txt",
  "git diff HEAD~1:g.txt HEAD:g.txt",
  "git show",
  "git show HEAD:sub/h.txt",
  "git show HEAD~1 --stat --oneline",
  "git show :g.txt",
  "git show HEAD -- f.txt",
  "git blame f.txt",
  "git blame -L 1,10 -w f.txt",
  "git branch",
  "git branch -a",
  "git branch -vv",
  "git branch --show-current",
  "git branch --sort=-committerdate",
  "git tag -l 'v1*'",
  "git tag",
  "git remote -v",
  "git stash list",
  "git stash show -p",
  "git rev-parse --show-toplevel",
  "git rev-parse --abbrev-ref HEAD",
  "git rev-parse --short HEAD",
  "git rev-list --count HEAD",
  "git ls-files",
  "git ls-files '*.txt'",
  "git ls-files -m -o --exclude-standard",
  "git ls-tree -r HEAD --name-only",
  "git grep -n foo",
  "git grep -in foo -- '*.txt'",
  "git grep -e foo --and -e bar HEAD~1",
  "git describe --tags --always --dirty",
  "git merge-base main HEAD",
  "git cat-file -p HEAD:f.txt",
  "git for-each-ref --format='%(refname:short)' refs/heads",
  "git show-ref --heads",
  "git shortlog -sn HEAD",
  "git reflog",
  "git config --get user.name",
  "git config --list",
  "git check-ignore -v f.txt",
  "git --no-pager log -3",
  "git worktree list",
  "git count-objects -vH",
  "cd sub && git status && git log --oneline | head -3",
  "cd sub && git show HEAD:f.txt",
  "git -C . status",
  "git -C sub log --oneline",
  "git -C ./sub/ --no-pager diff -- h.txt",
  "git config user.name",
  "git config --local user.name",
  "git config --get remote.origin.url",
  "git symbolic-ref --short HEAD",
  "git symbolic-ref -q HEAD",
];

const writing = [
  "git add .",
  "git add -A",
  "git add f.txt sub/h.txt",
  "git add '*.txt'",
  "git add -p f.txt",
  "git commit -m 'x'",
  "git commit -am x",
  "git commit --amend --no-edit",
  "git commit -qm x --author='A <a@example.com>' -- f.txt",
  "git commit -F g.txt",
  "git push",
  "git push origin main",
  "git push -u origin feature/x",
  "git push --force-with-lease origin main",
  "git push -o ci.skip origin main",
  "git pull",
  "git pull --rebase origin main",
  "git fetch",
  "git fetch origin",
  "git fetch --all --prune",
  "git fetch --depth 1 origin main",
  "git checkout main",
  "git checkout -b feature/x",
  "git checkout -",
  "git checkout -- f.txt",
  "git checkout HEAD~1 -- f.txt",
  "git switch -c x",
  "git restore f.txt",
  "git restore --staged --worktree f.txt",
  "git stash",
  "git stash push -m wip",
  "git stash pop",
  "git merge feature/x",
  "git rebase main",
  "git rebase --continue",
  "git reset HEAD~1",
  "git reset --hard HEAD",
  "git cherry-pick abc123",
  "git revert --no-edit HEAD",
  "git branch -d x",
  "git branch -m old new",
  "git tag v1.0.0",
  "git tag -a v1 -m 'one'",
  "git rm f.txt",
  "git mv f.txt h.txt",
  "git clean -n",
];

describeGit("a git command", () => {
  it.each(Object.keys(lineTraps).filter((name) => inFolder.test(lineTraps[name]?.line ?? "")))(
    "is not approved where -C leads into %s",
    async (name) => {
      const { world, line } = lineTrap(lineTraps[name] as LineTrap);
      const direct = line.replace(inFolder, "git -C $1 status");
      expect(await verdictsIn(world.root, [direct])).toEqual([`ask ask ${direct}`]);
    },
  );

  it("is not approved in another one that -C leads to, nor for what is not only reading there", async () => {
    const { root, base } = ordinary();
    git(root, "init", "-q", "inner");
    git(join(root, "inner"), "config", "core.fsmonitor", "./evil");
    git(base, "init", "-q", "elsewhere");
    const lines = [
      "git -C inner status",
      "git -C ./inner/. status",
      `git -C ${join(root, "inner")} status`,
      `git -C ${join(base, "elsewhere")} status`,
      "git -C sub/.. status",
      "git -C sub -C . status",
      "git -C sub -c core.fsmonitor=./evil status",
      "git -C sub config core.fsmonitor ./evil",
      "git -C sub push",
      "git symbolic-ref HEAD refs/heads/x",
      "git symbolic-ref -d HEAD",
      "git config user.name x",
      "git config --unset user.name",
    ];
    expect(await verdictsIn(root, lines)).toEqual(lines.map((line) => `ask ask ${line}`));
  });

  it("reads and writes as before in an ordinary repository", async () => {
    const { root } = ordinary();
    expect(await verdictsIn(root, reading)).toEqual(reading.map((line) => `allow allow ${line}`));
    expect(await verdictsIn(root, writing)).toEqual(writing.map((line) => `allow ask ${line}`));
  });

  it("is judged by the hooks that it runs, and no others", async () => {
    const { root } = ordinary();
    git(root, "config", "core.hooksPath", ".husky/_");
    for (const hook of ["pre-commit", "post-checkout", "pre-push", "commit-msg"])
      put({ root }, `.husky/_/${hook}`, "#!/bin/sh\nexit 0\n", 0o755);
    expect(
      await verdictsIn(root, [
        ...reading,
        "git add .",
        "git fetch origin",
        "git commit -m x",
        "git checkout main",
        "git push origin main",
      ]),
    ).toEqual([
      ...reading.map((line) => `allow allow ${line}`),
      "allow ask git add .",
      "allow ask git fetch origin",
      "ask ask git commit -m x",
      "ask ask git checkout main",
      "ask ask git push origin main",
    ]);
  });

  it("is approved with its hooks by a policy that speaks of the command and of the risk", async () => {
    const { root } = ordinary();
    put({ root }, ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n", 0o755);
    const command = { type: "command", operator: "startsWith", value: "git commit" } as const;
    const risk = { type: "risk", operator: "lessThan", value: "opaque" } as const;
    const policy = { name: "commits", tools: "Bash", action: "approve" } as const;
    const both = { ...policy, conditions: [command, risk] };
    const nameOnly = { ...policy, conditions: [command] };
    expect(await verdictsOf([both, nameOnly], root, ["git commit -m x"])).toEqual([
      "allow ask git commit -m x",
    ]);
  });

  it("stays what it is in a linked work tree, in a submodule and in a folder of the repository", async () => {
    const { root, base } = ordinary();
    git(root, "worktree", "add", "-q", join(base, "linked"), "-b", "linked");
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", root, "module");
    git(join(root, "module"), "remote", "set-url", "origin", "https://example.com/x");
    const lines = [
      "git status",
      "git log -3",
      "git diff",
      "git add f.txt",
      "git commit -m x",
      "git fetch origin",
    ];
    const expected = lines.map((line, index) => `${index < 3 ? "allow allow" : "allow ask"} ${line}`);
    expect(await verdictsIn(join(base, "linked"), lines)).toEqual(expected);
    expect(await verdictsIn(join(root, "sub"), lines)).toEqual(expected);
    expect(await verdictsIn(root, lines, join(root, "module"))).toEqual(expected);
    expect(await verdictsIn(root, lines)).toEqual(expected);
  });

  it("is still approved after parts of the line that only write files", async () => {
    const { root } = ordinary();
    const lines = [
      "touch new.txt && git add new.txt && git commit -m x",
      "cd sub && touch x.txt && git add x.txt && git status",
      "mkdir -p docs && git status",
      "cp -r sub other && git add other",
      "git checkout -b x && git add -A && git commit -m x",
      "git stash && git pull && git stash pop",
      "cd sub && git checkout -b x && git status",
    ];
    expect(await verdictsIn(root, lines)).toEqual(lines.map((line) => `allow ask ${line}`));
  });

  it("is not bothered by settings that start nothing", async () => {
    const { root } = ordinary();
    for (const [key, value] of settings) git(root, "config", key, value);
    expect(await verdictsIn(root, reading)).toEqual(reading.map((line) => `allow allow ${line}`));
    expect(await verdictsIn(root, writing)).toEqual(writing.map((line) => `allow ask ${line}`));
  });
});

const settings = [
  ["user.email", "a@example.com"],
  ["core.sshCommand", "ssh -i ~/.ssh/id_work -o IdentitiesOnly=yes"],
  ["core.autocrlf", "input"],
  ["core.fsmonitor", "true"],
  ["commit.gpgSign", "false"],
  ["credential.helper", "store"],
  ["filter.lfs.clean", "git-lfs clean -- %f"],
  ["filter.lfs.smudge", "git-lfs smudge -- %f"],
  ["filter.lfs.process", "git-lfs filter-process"],
  ["filter.lfs.required", "true"],
  ["merge.ours.driver", "true"],
  ["alias.co", "checkout"],
  ["alias.x", "!echo x"],
  ["branch.main.remote", "origin"],
  ["branch.main.vscode-merge-base", "origin/main"],
  ["pull.rebase", "true"],
  ["diff.tool", "vimdiff"],
  ["difftool.x.cmd", "x"],
  ["submodule.active", "."],
  ["http.https://github.com/.extraheader", "X: y"],
  ["blame.ignoreRevsFile", ".git-blame-ignore-revs"],
  ["remote.origin.gh-resolved", "base"],
] as const;

function ordinary() {
  const world = trappedWorld({ set: () => {} });
  git(world.root, "remote", "add", "origin", "git@example.com:team/project.git");
  return world;
}
