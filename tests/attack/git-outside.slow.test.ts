import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { info } from "../../src/sources/builtin/workspace/info.ts";
import {
  approveAll,
  approvePaths,
  describeGit,
  type GitGate,
  git,
  gitGate,
} from "../unit/sources/builtin/git/git-gate.ts";

/** A repository outside of the workspace with a secret in file, history and message. */
function makePrivate({ base }: GitGate): string {
  const folder = join(base, "private");
  mkdirSync(folder);
  git(folder, "init", "-q");
  writeFileSync(join(folder, "a.txt"), "SECRET in a file\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "SECRET in a message");
  return folder;
}

/** Everything the tools say, whether they succeed or not. */
async function everything(gate: GitGate, context: object = {}): Promise<string> {
  const calls: [string, object][] = [
    ["git.status", {}],
    ["git.diff_summary", {}],
    ["git.diff", {}],
    ["git.diff", { base: "HEAD" }],
    ["git.diff", { commit: "HEAD" }],
    ["git.log", {}],
    ["git.checkpoint", { action: "save" }],
    ["git.commit", { message: "m", all: true }],
    ["git.diff", { commit: "HEAD" }],
    ["workspace.info", {}],
  ];
  const said: string[] = [];
  for (const [tool, input] of calls)
    said.push(JSON.stringify((await gate.call(tool, input, context)).result));
  return said.join("\n");
}

const open = { gate: { policies: [approveAll, approvePaths] }, tools: [info] };

describeGit("a repository that tries to show what lies outside of the workspace", () => {
  it("does not by naming another work tree", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, ...open });
    writeFileSync(join(gate.base, "outside.txt"), "SECRET\n");
    gate.git("config", "core.worktree", gate.base);
    const said = await everything(gate);
    expect(said).not.toContain("SECRET");
    expect(said).not.toContain("outside.txt");
    expect(git(join(gate.root, ".git"), "-C", gate.root, "status", "--porcelain")).toContain("outside.txt");
  });

  it.each([
    ["a .git file", (gate: GitGate, other: string) => gate.write("inner/.git", `gitdir: ${other}/.git\n`)],
    ["a relative .git file", (gate: GitGate) => gate.write("inner/.git", "gitdir: ../../private/.git\n")],
    [
      "a link",
      (gate: GitGate, other: string) => symlinkSync(join(other, ".git"), join(gate.root, "inner/.git")),
    ],
    [
      "a common folder",
      (gate: GitGate, other: string) => {
        gate.write("inner/.git/HEAD", "ref: refs/heads/main\n");
        gate.write("inner/.git/commondir", `${other}/.git\n`);
      },
    ],
    [
      "a link to its objects",
      (gate: GitGate, other: string) => {
        git(join(gate.root, "inner"), "init", "-q");
        rmSync(join(gate.root, "inner/.git/objects"), { recursive: true });
        symlinkSync(join(other, ".git/objects"), join(gate.root, "inner/.git/objects"));
        gate.write("inner/.git/refs/heads/main", git(other, "rev-parse", "HEAD"));
      },
    ],
    [
      "borrowed objects",
      (gate: GitGate, other: string) => {
        git(join(gate.root, "inner"), "init", "-q");
        gate.write("inner/.git/objects/info/alternates", `${other}/.git/objects\n`);
        gate.write("inner/.git/refs/heads/main", git(other, "rev-parse", "HEAD"));
      },
    ],
    [
      "objects borrowed by a lender in the workspace",
      (gate: GitGate, other: string) => {
        git(gate.root, "init", "-q", "--bare", "lender");
        gate.write("lender/objects/info/alternates", `${other}/.git/objects\n`);
        git(join(gate.root, "inner"), "init", "-q");
        gate.write("inner/.git/objects/info/alternates", "../../../lender/objects\n");
        gate.write("inner/.git/refs/heads/main", git(other, "rev-parse", "HEAD"));
      },
    ],
  ])("does not by %s", async (_, arrange) => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, ...open });
    const other = makePrivate(gate);
    mkdirSync(join(gate.root, "inner"));
    arrange(gate, other);
    // A trap that catches nobody proves nothing.
    expect(git(join(gate.root, "inner"), "log")).toContain("SECRET");
    const said = await everything(gate, { cwd: join(gate.root, "inner") });
    expect(said).not.toContain("SECRET");
    expect((await gate.failure("git.log", {}, { cwd: join(gate.root, "inner") })).code).toBe("outside_root");
    expect(git(other, "status", "--porcelain")).toBe("");
    expect(git(other, "for-each-ref", "refs/toolgate")).toBe("");
  });

  it("does not by a folder that became a link", async () => {
    const gate = await gitGate({ files: { "data/a.txt": "a\n", "b.txt": "b\n" }, ...open });
    mkdirSync(join(gate.base, "outside"));
    writeFileSync(join(gate.base, "outside/a.txt"), "SECRET\n");
    const { id } = (await gate.data("git.checkpoint", { action: "save" })) as { id: string };
    rmSync(join(gate.root, "data"), { recursive: true });
    symlinkSync(join(gate.base, "outside"), join(gate.root, "data"));
    expect(await everything(gate)).not.toContain("SECRET");
    // Nor is anything written or deleted through it.
    await gate.call("git.checkpoint", { action: "restore", id });
    expect(execFileSync("cat", [join(gate.base, "outside/a.txt")], { encoding: "utf8" })).toBe("SECRET\n");
    expect(readdirSync(join(gate.base, "outside"))).toEqual(["a.txt"]);
  });

  it("does not by a checkpoint that somebody prepared", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, ...open });
    symlinkSync(gate.base, join(gate.root, "way"));
    const blob = git(gate.root, "hash-object", "-w", "a.txt").trim();
    const evil = join(gate.base, "evil");
    for (const path of ["../escaped", ".git/hooks/pre-commit", "way/through", "/absolute", ".GIT/config"]) {
      // Trees with such names are written byte by byte: git itself would not.
      const tree = path
        .split("/")
        .filter((name, at) => name !== "" || at > 0)
        .reduceRight<{ mode: string; id: string }>(
          ({ mode, id }, name) => {
            writeFileSync(evil, Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]));
            return {
              mode: "40000",
              id: gate.git("hash-object", "-t", "tree", "-w", "--literally", evil).trim(),
            };
          },
          { mode: "100755", id: blob },
        );
      const commit = gate.git("commit-tree", tree.id, "-m", "x").trim();
      gate.git("update-ref", "refs/toolgate/checkpoints/20260101-000000000-abcd", commit);
      const before = readdirSync(gate.base).sort();
      await gate.call("git.checkpoint", { action: "restore", id: "20260101-000000000-abcd" });
      expect(readdirSync(gate.base).sort(), path).toEqual(before);
      expect(existsSync(join(gate.base, "through")), path).toBe(false);
      expect(existsSync(join(gate.root, ".git/hooks/pre-commit")), path).toBe(false);
    }
  });
});

describeGit("arguments that try to be more than that", () => {
  const values = [
    "--output=PWNED",
    "-OPWNED",
    "--ext-diff",
    "--no-index",
    ":(exclude)a.txt",
    ":/",
    ":!a.txt",
    "--",
    "-",
    "--help",
  ];

  it.each(values)("are what they are: %s", async (value) => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, ...open });
    gate.write("a.txt", "b\n");
    for (const [tool, input] of [
      ["git.diff", { paths: [value] }],
      ["git.diff", { base: value }],
      ["git.diff", { commit: value }],
      ["git.log", { path: value }],
      ["git.log", { author: value, message: value, since: value, until: value }],
      ["git.log", { commit: value }],
      ["git.commit", { message: "m", paths: [value] }],
      ["git.checkpoint", { action: "save", label: value }],
      ["git.commit", { message: value, all: true }],
    ] as const) {
      const outcome = await gate.call(tool, input);
      expect(outcome.result.content.map((block) => JSON.stringify(block)).join(), tool).not.toContain(
        "usage:",
      );
    }
    expect(readdirSync(gate.root).sort()).toEqual([".git", "a.txt"]);
    expect(gate.git("log", "-1", "--format=%s").trim()).toBe(value);
  });
});

describeGit("what surrounds the gate", () => {
  it("does not reach git: variables of its environment", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, ...open });
    const other = makePrivate(gate);
    const trap = join(gate.base, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch '${gate.base}/PWNED'\n`, { mode: 0o755 });
    gate.write("a.txt", "b\n");
    const planted = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_EXTERNAL_DIFF: trap,
      GIT_SSH_COMMAND: trap,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: trap,
      GIT_EXEC_PATH: gate.base,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(other, ".git/objects"),
    };
    Object.assign(process.env, planted);
    try {
      expect(await gate.text("git.status")).toBe(" M a.txt");
      expect(await everything(gate)).not.toContain("SECRET");
    } finally {
      for (const name of Object.keys(planted)) delete process.env[name];
    }
    expect(existsSync(join(gate.base, "PWNED"))).toBe(false);
  });

  it("does not stand in for git: a program of that name in the workspace", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" } });
    gate.write("bin/git", `#!/bin/sh\ntouch '${gate.base}/PWNED'\n`, 0o755);
    const path = process.env.PATH;
    process.env.PATH = `${join(gate.root, "bin")}:${path}`;
    try {
      expect(await gate.text("git.status")).toBe("?? bin/");
    } finally {
      process.env.PATH = path;
    }
    expect(existsSync(join(gate.base, "PWNED"))).toBe(false);
  });

  it("is told when git is missing", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, tools: [info], gate: { roots: ["/usr"] } });
    expect(await gate.failure("git.status", {}, { cwd: "/usr" })).toMatchObject({
      code: "no_git",
      message: expect.stringContaining("git is not installed on this machine"),
    });
    expect(await gate.data("workspace.info", {}, { cwd: "/usr" })).toMatchObject({
      projectPath: "/usr",
      branch: null,
      note: expect.stringContaining("git is not installed"),
    });
  });

  it("survives a repository whose settings cannot be read", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" }, tools: [info] });
    appendFileSync(join(gate.root, ".git/config"), "[broken\n");
    expect((await gate.failure("git.status")).message).toContain("bad config line");
    renameSync(join(gate.root, ".git/HEAD"), join(gate.root, ".git/HEAD-away"));
    expect((await gate.failure("git.status")).code).toBe("no_repository");
    expect(await gate.data("workspace.info")).toMatchObject({ branch: null });
  });
});
