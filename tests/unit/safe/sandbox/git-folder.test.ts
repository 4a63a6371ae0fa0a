import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProcess } from "../../../../src/safe/process/spawn.ts";
import {
  isHarmlessRepository,
  placesNamedBy,
  runningPartsOf,
} from "../../../../src/safe/sandbox/git-folder.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "toolgate-git-folder-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function repository(config: string): string {
  const git = join(folder(), ".git");
  mkdirSync(join(git, "hooks"), { recursive: true });
  writeFileSync(join(git, "config"), config);
  return git;
}

describe("a new repository is harmless", () => {
  it("as git itself makes and clones it", async () => {
    const base = folder();
    const git = (...args: string[]) => runProcess({ command: "git", args, cwd: base });
    await git("init", "-q", "one");
    const commit = "-C one -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m a";
    await git(...commit.split(" "));
    await git("clone", "-q", "one", "two");
    await git("init", "-q", "--bare", "three");
    for (const name of ["one/.git", "two/.git", "three"])
      expect(isHarmlessRepository(join(base, name)), name).toBe(true);
  });

  it("with no key that is not known to run nothing, however it is written", () => {
    for (const line of [
      "[core]\n\tfsmonitor = ./a",
      "[core] fsmonitor = ./a",
      "[CORE]\nfsmonitor=./a",
      "[core]\n\tbare = false\n\tfsmon\\\nitor = ./a",
      "[core]\nbare = false \\\n[core]\nhooksPath = a",
      '[alias]\nst = "!a"',
      "[include]\npath = ../a",
      '[includeIf "gitdir:/"]\npath = ../a',
      '[remote "a"]\nuploadpack = ./a',
      '[filter "a"]\nclean = ./a',
      "[core]\nworktree = ..",
      "bare = false",
      "[core]\nfsmonitor",
      "[core]\nsome-new-key = 1",
    ])
      expect(isHarmlessRepository(repository(line)), line).toBe(false);
    expect(isHarmlessRepository(repository("[core]\n\tbare = false\n\n"))).toBe(true);
  });

  it("with no hook, no other configuration, no repository inside and no link", () => {
    const spoil: Record<string, (git: string) => void> = {
      hook: (git) => writeFileSync(join(git, "hooks/pre-commit"), ""),
      commondir: (git) => writeFileSync(join(git, "commondir"), "."),
      "config.worktree": (git) => writeFileSync(join(git, "config.worktree"), ""),
      modules: (git) => mkdirSync(join(git, "modules")),
      "linked config": (git) => {
        rmSync(join(git, "config"));
        symlinkSync("/dev/null", join(git, "config"));
      },
      "linked hooks": (git) => {
        rmSync(join(git, "hooks"), { recursive: true });
        symlinkSync("/", join(git, "hooks"));
      },
      "a list of commands": (git) => {
        mkdirSync(join(git, "rebase-merge"));
        writeFileSync(join(git, "rebase-merge/git-rebase-todo"), "pick a\nexec b\n");
      },
    };
    for (const [name, change] of Object.entries(spoil)) {
      const git = repository("[core]\nbare = false\n");
      change(git);
      expect(isHarmlessRepository(git), name).toBe(false);
    }
  });
});

describe("what git runs", () => {
  it("is a rebase only if its list has commands", () => {
    const git = repository("");
    mkdirSync(join(git, "rebase-merge"));
    writeFileSync(join(git, "rebase-merge/git-rebase-todo"), "pick 1 exec in a title\n");
    expect(runningPartsOf(git)).not.toContain(join(git, "rebase-merge"));
    writeFileSync(join(git, "rebase-merge/git-rebase-todo"), "  x make\n");
    expect(runningPartsOf(git)).toContain(join(git, "rebase-merge"));
  });

  it("is also what its configuration and that of the user name", () => {
    const home = folder();
    writeFileSync(join(home, ".gitconfig"), "[core] hooksPath = .team-hooks\n");
    const git = repository('[core]\nhooksPath = "tools/hooks"\n[include]\npath = ../shared.inc\n');
    expect(placesNamedBy(git, home)).toEqual([
      join(git, "../tools/hooks"),
      join(git, "../.team-hooks"),
      join(git, "../shared.inc"),
    ]);
  });
});
