import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { approveAll, approvePaths, describeGit, git, gitGate } from "./git-gate.ts";

describeGit("git.status", () => {
  it("answers what git status --porcelain prints", async () => {
    const { text, write, git, data } = await gitGate({
      files: { "a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n" },
    });
    expect(await text("git.status")).toBe("Nothing to commit: no changes.");
    write("a.txt", "changed\n");
    write("new file", "n");
    write("ä.txt", "n");
    write("sub/d.txt", "d");
    git("rm", "-q", "b.txt");
    git("add", "sub/d.txt");
    const porcelain = git("-c", "core.quotePath=false", "status", "--porcelain").trimEnd();
    expect(await text("git.status")).toBe(porcelain);
    expect(porcelain).toBe(' M a.txt\nD  b.txt\nA  sub/d.txt\n?? "new file"\n?? ä.txt');
    expect(await data("git.status")).toEqual({ changes: 5, clean: false });
  });

  it.each(["path", "directory", "dir_path"])("looks at one folder or file, named by %s", async (name) => {
    const { write, text, root } = await gitGate({ files: { "a.txt": "a", "sub/b.txt": "b" } });
    write("a.txt", "x");
    write("sub/b.txt", "x");
    expect(await text("git.status", { [name]: "sub" })).toBe(" M sub/b.txt");
    expect(await text("git.status", { [name]: "sub/b.txt" })).toBe(" M sub/b.txt");
    expect(await text("git.status", { [name]: "." })).toContain("a.txt");
    expect(await text("git.status", {}, { cwd: join(root, "sub") })).toContain("a.txt");
  });

  it("asks the repository of the folder it is given", async () => {
    const { root, write, text } = await gitGate({ files: { "a.txt": "a" } });
    mkdirSync(join(root, "inner"));
    git(join(root, "inner"), "init", "-q");
    write("inner/x.txt", "x");
    expect(await text("git.status", { path: "inner" })).toBe("?? x.txt");
  });

  it("shows of a larger repository only the part that is the workspace", async () => {
    const { write, text, commitAll, git } = await gitGate({
      files: { "a.txt": "a", "pkg/b.txt": "b" },
      workspace: "pkg",
    });
    write("a.txt", "secret\n");
    write("pkg/b.txt", "x\n");
    expect(await text("git.status")).toBe(" M pkg/b.txt");
    expect(await text("git.diff_summary")).not.toContain("a.txt");
    expect(await text("git.diff")).not.toContain("secret");
    commitAll("second");
    expect(await text("git.diff", { commit: "HEAD" })).not.toContain("secret");
    write("a.txt", "again\n");
    git("commit", "-qam", "only outside");
    expect(await text("git.log")).not.toContain("only outside");
  });

  it("changes nothing, not even the times in the index", async () => {
    const { write, root, text } = await gitGate({ files: { "a.txt": "a" } });
    write("a.txt", "a");
    const { readFileSync } = await import("node:fs");
    const before = readFileSync(join(root, ".git/index"));
    for (const tool of ["git.status", "git.diff", "git.diff_summary", "git.log"]) await text(tool);
    expect(readFileSync(join(root, ".git/index")).equals(before)).toBe(true);
  });

  it("works in a linked work tree and in a submodule", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    gate.git("worktree", "add", "-q", "../linked");
    const linked = join(gate.base, "linked");
    writeFileSync(join(linked, "a.txt"), "x");
    const other = await gitGate({ init: false, gate: { roots: [linked] } });
    expect(await other.text("git.status")).toBe(" M a.txt");
    expect(await other.text("git.log")).toContain("first");
    git(gate.base, "init", "-q", "source");
    git(join(gate.base, "source"), "commit", "-q", "--allow-empty", "-m", "of the submodule");
    gate.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../source", "sub");
    const inner = await gitGate({ init: false, gate: { roots: [join(gate.root, "sub")] } });
    expect(await inner.text("git.log")).toContain("of the submodule");
  });
});

describeGit("git.diff_summary", () => {
  it("answers what git diff --stat prints, staged or not", async () => {
    const { text, write, git } = await gitGate({ files: { "a.txt": "1\n2\n", "b.txt": "b\n" } });
    expect(await text("git.diff_summary")).toContain("No unstaged changes");
    expect(await text("git-diff-summary", { staged: true })).toBe("Nothing is staged.");
    write("a.txt", "1\n3\n4\n");
    expect(await text("git.diff_summary")).toBe(git("diff", "--stat").trimEnd());
    git("add", "a.txt");
    write("b.txt", "c\n");
    expect(await text("git.diff_summary", { staged: true })).toBe(
      git("diff", "--stat", "--cached").trimEnd(),
    );
    expect(await text("git.diff_summary", { path: "a.txt" })).toContain("No unstaged changes");
  });
});

describeGit("git.diff", () => {
  it("shows the work tree, what is staged, and against another commit", async () => {
    const { write, commitAll, text, git, data } = await gitGate({
      files: { "a.txt": "1\n", "b.txt": "b\n" },
    });
    write("a.txt", "2\n");
    commitAll("second");
    expect(await text("git.diff")).toContain("No changes in tracked files");
    write("a.txt", "3\n");
    expect(await text("git.diff")).toBe(git("diff").trimEnd());
    git("add", "-A");
    write("a.txt", "4\n");
    expect(await text("git.diff", { staged: true })).toContain("-2\n+3");
    expect(await text("git.diff", { cached: true })).toContain("-2\n+3");
    expect(await text("git.diff", { base: "HEAD~1" })).toContain("-1\n+4");
    expect(await text("git.diff", { base: "HEAD~1", staged: true })).toContain("-1\n+3");
    expect(await data("git.diff")).toEqual({ files: 1, leftOut: [], truncated: false });
  });

  it("shows what a commit changed, and what lies between two", async () => {
    const { git, write, commitAll, text } = await gitGate({ files: { "a.txt": "1\n" } });
    git("checkout", "-qb", "topic");
    write("b.txt", "topic\n");
    commitAll("on topic");
    git("checkout", "-q", "main");
    write("c.txt", "main\n");
    commitAll("on main");
    git("merge", "-q", "--no-edit", "topic");
    expect(await text("git.diff", { commit: "topic" })).toMatch(/^diff --git a\/b.txt b\/b.txt\n.*\+topic$/s);
    expect(await text("git.diff", { commit: "HEAD~1" })).toContain("+main");
    expect(await text("git.diff", { commit: "HEAD" })).toMatch(/^diff --git a\/b.txt/);
    expect(await text("git.diff", { commit: "main~1..topic" })).toMatch(/-main$/);
    expect(await text("git.diff", { commit: "main~1...topic" })).not.toContain("main");
    expect(await text("git.diff", { commit: "topic~1" })).toContain("+1");
    expect(await text("git.diff", { commit: "..topic" })).toContain("-main");
  });

  it("looks at paths only, also at those that are gone", async () => {
    const { write, git, text, root } = await gitGate({
      files: { "a.txt": "a\n", "sub/b.txt": "b\n", "*.txt": "star\n", "-x": "dash\n" },
    });
    for (const path of ["a.txt", "sub/b.txt", "*.txt", "-x"]) write(path, "new\n");
    git("rm", "-qf", "a.txt");
    expect(await text("git.diff", { base: "HEAD", paths: ["a.txt"] })).toMatch(/\n-a$/);
    expect(await text("git.diff", { paths: ["sub"] })).toMatch(
      /^diff --git a\/sub\/b.txt b\/sub\/b.txt\n(?!.*diff --git)/s,
    );
    expect(await text("git.diff", { path: "*.txt" })).toMatch(
      /^diff --git a\/\*\.txt b\/\*\.txt\n(?!.*diff --git)/s,
    );
    expect(await text("git.diff", { paths: ["-x"] })).toContain("+++ b/-x");
    expect(await text("git.diff", { paths: ["b.txt"] }, { cwd: join(root, "sub") })).toContain("sub/b.txt");
    expect(await text("git.diff", { paths: ["sub"], contextLines: 0 })).toContain("@@ -1 +1 @@");
  });

  it("leaves protected files out, under whatever option", async () => {
    const gate = await gitGate({ files: { ".env": "KEY=1\n", "sub/id_rsa": "key\n", "a.txt": "a\n" } });
    gate.write(".env", "KEY=secret\n");
    gate.write("sub/id_rsa", "secret\n");
    gate.write("a.txt", "b\n");
    for (const input of [{}, { base: "HEAD" }, { paths: ["."] }]) {
      const text = await gate.text("git.diff", input);
      expect(text).toContain("+b");
      expect(text).not.toContain("secret");
      expect(text).toContain("[Left out: .env is protected.]");
      expect(text).toContain("[Left out: sub/id_rsa is protected.]");
    }
    gate.commitAll("with secrets");
    expect(await gate.text("git.diff", { commit: "HEAD" })).not.toContain("secret");
    expect(await gate.text("git.diff", { commit: "HEAD~1..HEAD" })).not.toContain("secret");
    expect(await gate.failure("git.diff", { commit: "HEAD:.env" })).toMatchObject({ code: "bad_revision" });
  });
});

describeGit("git.log", () => {
  it("lists commits, newest first, and says how to go on", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    for (const name of ["second", "third"]) {
      gate.write("a.txt", name);
      gate.git("add", "-A");
      gate.git("commit", "-qm", `${name}\n\nThe body of ${name}.`, "--date=2026-02-03T04:05:06Z");
    }
    gate.git("tag", "v1");
    const text = await gate.text("git.log", { limit: 2 });
    expect(text).toMatch(
      /^[0-9a-f]{12} 2026-02-03T04:05:06\S* Ann <ann@example.com> \(HEAD -> main, tag: v1\)\n {4}third\n\n {4}The body of third\.\n\n[0-9a-f]{12} .*\n {4}second\n/,
    );
    expect(text).toMatch(/\[There are more: call again with skip 2\.\]$/);
    expect(await gate.text("git.log", { limit: 2, skip: 2 })).toMatch(/ {4}first$/);
    expect(await gate.data("git.log", { limit: 1 })).toMatchObject({
      more: true,
      commits: [{ id: gate.git("rev-parse", "HEAD").trim(), subject: "third", author: "Ann" }],
    });
  });

  it("finds by path, range, author, message and date", async () => {
    const { write, git, data, text } = await gitGate({ files: { "a.txt": "a", "b.txt": "b" } });
    write("a.txt", "x");
    git("add", "-A");
    git("commit", "-qm", "Fix [a] bug", "--author=Bob <bob@example.com>");
    const subjects = async (input: object) =>
      ((await data("git.log", input)).commits as { subject: string }[]).map(({ subject }) => subject);
    expect(await subjects({ path: "b.txt" })).toEqual(["first"]);
    expect(await subjects({ commit: "HEAD~1..HEAD" })).toEqual(["Fix [a] bug"]);
    expect(await subjects({ commit: "HEAD~1" })).toEqual(["first"]);
    expect(await subjects({ author: "bob@" })).toEqual(["Fix [a] bug"]);
    expect(await subjects({ message: "fix [A]" })).toEqual(["Fix [a] bug"]);
    expect(await subjects({ until: "2001-01-01" })).toEqual([]);
    expect(await text("git.log", { author: "nobody" })).toBe("No commits match.");
  });

  it("shows what a message hides", async () => {
    const { git, text } = await gitGate({ files: { "a.txt": "a" } });
    git("commit", "-q", "--allow-empty", "-m", "good \u202edab\u202c \u001b[31mred");
    expect(await text("git.log", { limit: 1 })).toContain("good \\u{202E}dab\\u{202C} \\u{1B}[31mred");
  });

  it("says so when there are no commits yet", async () => {
    const { text } = await gitGate();
    expect(await text("git.log")).toBe("There are no commits yet.");
    expect(await text("git.status")).toBe("Nothing to commit: no changes.");
    expect(await text("git.diff", { staged: true })).toBe("Nothing is staged.");
  });
});

describeGit("the reading git tools", () => {
  const readers = ["git.status", "git.diff_summary", "git.diff", "git.log"];

  it.each(readers)("%s works by default", async (tool) => {
    const plain = await gitGate({ files: { a: "a" }, gate: { enable: {}, policies: [] } });
    expect(await plain.call(tool, {}, { mode: "plan" })).toMatchObject({ ok: true });
  });

  it.each(readers)(
    "%s finds nothing of ours outside: by rule, or because no repository is there",
    async (tool) => {
      const paths = ["..", "/etc", "../root2", "link", "link/x", "~/x"];
      const field = tool === "git.diff" ? "paths" : "path";
      for (const gate of [
        await gitGate({ files: { a: "a" }, gate: { policies: [] } }),
        await gitGate({ files: { a: "a" }, gate: { policies: [approveAll, approvePaths] } }),
      ]) {
        symlinkSync("/etc", join(gate.root, "link"));
        for (const path of paths) {
          // A link is itself an entry of the repository; only what lies behind it is outside.
          if (path === "link" && tool !== "git.status" && tool !== "git.diff_summary") continue;
          const { code } = await gate.failure(tool, { [field]: field === "paths" ? [path] : path });
          expect(
            ["no_approver", "policy_denied", "outside_root", "invalid_path", "no_repository", "not_found"],
            path,
          ).toContain(code);
        }
      }
    },
  );

  it.each([
    ["git.status", { path: "" }],
    ["git.status", { path: 1 }],
    ["git.status", { verbose: true }],
    ["git.status", { path: "a", directory: "b" }],
    ["git.diff_summary", { staged: "yes" }],
    ["git.diff", { commit: "HEAD", staged: true }],
    ["git.diff", { commit: "HEAD", base: "HEAD" }],
    ["git.diff", { path: "a", paths: ["b"] }],
    ["git.diff", { contextLines: -1 }],
    ["git.log", { limit: 0 }],
    ["git.log", { limit: 501 }],
    ["git.log", { patch: true }],
  ])("%s refuses the input %j", async (tool, input) => {
    const { code } = await gitGate({ files: { a: "a" } });
    expect(await code(tool, input)).toBe("invalid_input");
  });

  it.each(["--output=PWNED", "-p", "HEAD --all", "no-such", "a\nb", "HEAD:a", "..-x", "^HEAD", "-x...HEAD"])(
    "take no %j for a commit",
    async (commit) => {
      const { code } = await gitGate({ files: { a: "a" } });
      for (const tool of ["git.diff", "git.log"])
        expect(await code(tool, { commit }), tool).toBe("bad_revision");
      expect(await code("git.diff", { base: commit })).toBe("bad_revision");
    },
  );

  it("say so outside of a repository", async () => {
    const { failure } = await gitGate({ init: false });
    for (const tool of readers) expect(await failure(tool)).toMatchObject({ code: "no_repository" });
  });
});
