import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { because } from "../../stopped.ts";
import { approveAll, approvePaths, describeGit, git, gitGate } from "./git-gate.ts";

describeGit("git.commit", () => {
  it("commits what is staged, and nothing else", async () => {
    const gate = await gitGate({ files: { "a.txt": "a", "b.txt": "b" } });
    gate.write("a.txt", "staged");
    gate.git("add", "a.txt");
    gate.write("b.txt", "not staged");
    const text = await gate.text("git.commit", { message: "Change a\r\n\r\n\r\n# not a comment  \n" });
    expect(text).toMatch(
      /^Committed [0-9a-f]{7,} Change a\n 1 file changed, .*\n\[Hooks, filters and signing were not run\.\]$/,
    );
    expect(gate.git("log", "-1", "--format=%an|%s|%b")).toBe("Ann|Change a|# not a comment\n\n");
    expect(gate.git("show", "--name-only", "--format=", "HEAD").trim()).toBe("a.txt");
    expect(gate.git("status", "--porcelain")).toBe(" M b.txt\n");
    expect(gate.git("reflog", "-1", "--format=%gs").trim()).toBe("commit: Change a");
  });

  it("commits everything that is changed, new and gone with all", async () => {
    const { write, git, root, text } = await gitGate({
      files: { "a.txt": "a", "b.txt": "b", "folder/c.txt": "c", ".gitignore": "ignored\n" },
    });
    write("a.txt", "x");
    git("rm", "-q", "--cached", "b.txt");
    git("rm", "-qr", "folder");
    write("folder", "now a file");
    write("deep/new\nline.txt", "n");
    write("run.sh", "#!/bin/sh\n", 0o755);
    symlinkSync("a.txt", join(root, "link"));
    write("ignored", "i");
    await text("git.commit", { message: "all of it", all: true });
    expect(git("status", "--porcelain")).toBe("");
    expect(git("ls-files", "-s", "--", "run.sh", "link").replace(/[0-9a-f]{40}/g, "")).toBe(
      "120000  0\tlink\n100755  0\trun.sh\n",
    );
    expect(git("show", "--name-only", "--format=", "-z", "HEAD").split("\0").filter(Boolean).sort()).toEqual([
      "a.txt",
      "deep/new\nline.txt",
      "folder",
      "folder/c.txt",
      "link",
      "run.sh",
    ]);
  });

  it("commits named paths only, new files included, and leaves what else is staged", async () => {
    const { write, git, text } = await gitGate({ files: { "a.txt": "a", "b.txt": "b", "sub/c.txt": "c" } });
    write("a.txt", "x");
    git("add", "a.txt");
    write("b.txt", "x");
    write("sub/new.txt", "n");
    git("rm", "-q", "--cached", "sub/c.txt");
    await text("git.commit", { message: "sub and b", paths: ["sub", "b.txt"] });
    expect(git("show", "--name-only", "--format=", "HEAD").trim().split("\n")).toEqual([
      "b.txt",
      "sub/new.txt",
    ]);
    expect(git("status", "--porcelain")).toBe("M  a.txt\n");
  });

  it("makes the first commit", async () => {
    const { write, text, git } = await gitGate();
    write("a.txt", "a");
    await text("git.commit", { message: "begin", paths: ["a.txt"] });
    expect(git("log", "--format=%s").trim()).toBe("begin");
    expect(git("status", "--porcelain")).toBe("");
  });

  it("says so when there is nothing to commit", async () => {
    const { code } = await gitGate({ files: { "a.txt": "a" } });
    for (const input of [{}, { all: true }, { paths: ["a.txt"] }])
      expect(await code("git.commit", { message: "m", ...input })).toBe("nothing_to_commit");
    expect(await code("git.commit", { message: "m", paths: ["no-such"] })).toBe("nothing_to_commit");
    expect(await (await gitGate()).code("git.commit", { message: "m", all: true })).toBe("nothing_to_commit");
  });

  it("does not commit secrets that nobody named", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    gate.write(".env", "KEY=1");
    gate.write("sub/.env.local", "KEY=1");
    gate.write("a.txt", "b");
    expect(await gate.text("git.commit", { message: "m", all: true })).toContain(
      "[Not committed, because protected: .env, sub/.env.local.",
    );
    expect(gate.git("ls-files").trim()).toBe("a.txt");
    expect(await gate.code("git.commit", { message: "m", paths: ["sub"] })).toBe("nothing_to_commit");
    expect(await gate.code("git.commit", { message: "m", paths: [".env"] })).toBe("policy_denied");
    const open = {
      ...approvePaths,
      conditions: [{ type: "path" as const, operator: "equals" as const, value: ".env" }],
    };
    const opened = await gitGate({ files: { "a.txt": "a" }, gate: { policies: [approveAll, open] } });
    opened.write(".env", "KEY=1");
    await opened.text("git.commit", { message: "m", paths: [".env"] });
    expect(opened.git("ls-files")).toContain(".env");
  });

  it("leaves other repositories inside alone", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    mkdirSync(join(gate.root, "inner"));
    git(join(gate.root, "inner"), "init", "-q");
    writeFileSync(join(gate.root, "inner/x"), "x");
    gate.write("a.txt", "b");
    expect(await gate.text("git.commit", { message: "m", all: true })).toContain("repositories of their own");
    expect(gate.git("ls-files").trim()).toBe("a.txt");
  });

  it("commits of a larger repository only the part that is the workspace", async () => {
    const { write, text, git, failure } = await gitGate({
      files: { "a.txt": "a", "pkg/b.txt": "b" },
      workspace: "pkg",
    });
    write("a.txt", "x");
    write("pkg/b.txt", "x");
    await text("git.commit", { message: "m", all: true });
    expect(git("status", "--porcelain")).toBe(" M a.txt\n");
    git("add", "a.txt");
    expect((await failure("git.commit", { message: "m" })).message).toContain('"a.txt"');
    write("pkg/b.txt", "y");
    await text("git.commit", { message: "m", paths: ["b.txt"] });
    expect(git("status", "--porcelain")).toBe("M  a.txt\n");
  });

  it("does not run hooks or sign, and does so where the operator wants it", async () => {
    const prepare = async (runCommitPrograms: boolean) => {
      const gate = await gitGate({ files: { "a.txt": "a" }, commit: { runCommitPrograms } });
      gate.write(".git/hooks/pre-commit", `#!/bin/sh\ntouch "${gate.base}/ran"; echo from the hook\n`, 0o755);
      gate.write(".git/hooks/commit-msg", '#!/bin/sh\necho "Signed-off-by: hook" >> "$1"\n', 0o755);
      gate.write("a.txt", "b");
      return gate;
    };
    const off = await prepare(false);
    await off.text("git.commit", { message: "m", all: true });
    expect(existsSync(join(off.base, "ran"))).toBe(false);
    const on = await prepare(true);
    expect(await on.text("git.commit", { message: "m", paths: ["a.txt"] })).toMatch(
      /^Committed .*\nfrom the hook$/s,
    );
    expect(existsSync(join(on.base, "ran"))).toBe(true);
    expect(on.git("log", "-1", "--format=%B")).toContain("Signed-off-by: hook");
    on.write("a.txt", "c");
    on.write(".git/hooks/pre-commit", "#!/bin/sh\necho no good; exit 1\n", 0o755);
    expect((await on.failure("git.commit", { message: "m", all: true })).message).toContain("no good");
  });

  it("does not commit what a filter would have to convert", async () => {
    const { git, write, failure, text } = await gitGate({
      files: { "a.txt": "a", ".gitattributes": "*.bin filter=big\n" },
    });
    git("config", "filter.big.clean", "cat");
    write("x.bin", "large");
    write("a.txt", "b");
    expect(await failure("git.commit", { message: "m", all: true })).toMatchObject(
      because("needs_program", '"x.bin"'),
    );
    expect(git("status", "--porcelain")).toBe(" M a.txt\n?? x.bin\n");
    await text("git.commit", { message: "m", paths: ["a.txt"] });
  });

  it("does not break into a merge, and tells who is missing", async () => {
    const { write, git, code } = await gitGate({ files: { "a.txt": "a" } });
    write("a.txt", "b");
    write(".git/MERGE_HEAD", git("rev-parse", "HEAD"));
    expect(await code("git.commit", { message: "m", all: true })).toBe("unfinished");
    const nameless = await gitGate({ files: { "a.txt": "a" } });
    nameless.git("config", "user.useConfigOnly", "true");
    nameless.git("config", "user.email", "");
    nameless.git("config", "user.name", "");
    nameless.write("a.txt", "b");
    expect((await nameless.failure("git.commit", { message: "m", all: true })).message).toMatch(
      /ident|tell me who you are/i,
    );
  });

  it.each([
    [{}],
    [{ message: "" }],
    [{ message: " \n" }],
    [{ message: "m", all: true, paths: ["a"] }],
    [{ message: "m", paths: [] }],
    [{ message: "m", amend: true }],
    [{ message: ["m"] }],
  ])("refuses the input %j", async (input) => {
    expect(await (await gitGate({ files: { a: "a" } })).code("git.commit", input)).toBe("invalid_input");
  });

  it("reaches no path outside of the workspace, whatever a policy approves", async () => {
    const { code } = await gitGate({ files: { a: "a" }, gate: { policies: [approveAll, approvePaths] } });
    for (const path of ["..", "/etc/passwd", "../x"])
      expect(await code("git.commit", { message: "m", paths: [path] })).toBe("outside_root");
  });

  it("leaves a repository that it may not write as it was", async () => {
    const { write, failure, root, git } = await gitGate({ files: { "a.txt": "a" } });
    write("a.txt", "b");
    write(".git/index.lock", "");
    expect((await failure("git.commit", { message: "m", all: true })).message).toContain("index.lock");
    chmodSync(join(root, ".git/index.lock"), 0o600);
    expect(git("log", "--format=%s").trim()).toBe("first");
  });
});
