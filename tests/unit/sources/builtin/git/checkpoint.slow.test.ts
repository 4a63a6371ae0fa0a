import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeGit, type GitGate, git, gitGate, treeOf } from "./git-gate.ts";

const outsideGit = (path: string) => path === ".git";
const save = async (gate: GitGate, more: object = {}) =>
  (await gate.data("git.checkpoint", { action: "save", ...more })).id as string;
const restore = (gate: GitGate, id: string) => gate.data("git.checkpoint", { action: "restore", id });

describeGit("git.checkpoint", () => {
  it("saves the work tree and brings it back exactly", async () => {
    const gate = await gitGate({ files: { "a.txt": "a", "sub/b.txt": "b", ".gitignore": "*.log\n" } });
    gate.write("a.txt", "changed\r\nwith both\nendings");
    gate.write("untracked/deep/c.txt", Buffer.from([0, 255, 10, 13]));
    gate.write("run.sh", "#!/bin/sh\n", 0o755);
    gate.write("keep.log", "ignored");
    symlinkSync("a.txt", join(gate.root, "link"));
    const before = treeOf(gate.root, outsideGit);
    const id = await save(gate, { label: "before the change" });

    gate.write("a.txt", "other");
    gate.write("new/file.txt", "new");
    gate.write("run.sh", "#!/bin/sh\n", 0o644);
    gate.git("rm", "-rq", "sub");
    rmSync(join(gate.root, "untracked"), { recursive: true });
    rmSync(join(gate.root, "link"));
    mkdirSync(join(gate.root, "link"));
    gate.write("link/x", "a folder now");
    gate.write("keep.log", "ignored, changed since");
    const changed = treeOf(gate.root, outsideGit);

    const restored = await gate.data("git.checkpoint", { action: "restore", id });
    expect(restored).toMatchObject({ id, written: 5, deleted: 2, before: expect.any(String) });
    const after = treeOf(gate.root, outsideGit);
    expect(after).toEqual({ ...before, "keep.log": changed["keep.log"] });
    expect(existsSync(join(gate.root, "new"))).toBe(false);

    await gate.text("git.checkpoint", { action: "restore", id: restored.before });
    expect(treeOf(gate.root, outsideGit)).toEqual(changed);
  });

  it("keeps bytes that attributes would convert, and runs no filter", async () => {
    const gate = await gitGate({ files: { "a.txt": "a\n" } });
    gate.write(
      ".gitattributes",
      "*.txt text eol=lf\n*.id ident\n*.u working-tree-encoding=UTF-16\n*.f filter=upper\n",
    );
    gate.git("config", "filter.upper.clean", `touch '${gate.base}/ran'; tr a-z A-Z`);
    gate.git("config", "filter.upper.smudge", `touch '${gate.base}/ran'; tr A-Z a-z`);
    gate.git("config", "core.autocrlf", "true");
    gate.write("a.txt", "a\r\nb\n");
    gate.write("b.id", "$Id: something $\n");
    gate.write("c.u", "not UTF-16");
    gate.write("d.f", "lower\n");
    const before = treeOf(gate.root, outsideGit);
    const id = await save(gate);
    for (const name of ["a.txt", "b.id", "c.u", "d.f"]) rmSync(join(gate.root, name));
    await restore(gate, id);
    expect(treeOf(gate.root, outsideGit)).toEqual(before);
    expect(existsSync(join(gate.base, "ran"))).toBe(false);
  });

  it("saves names that are no text", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    const odd = Buffer.concat([Buffer.from(join(gate.root, "odd-")), Buffer.from([0xff, 0xfe])]);
    writeFileSync(odd, "odd");
    gate.write('we"ird\n\tname', "weird");
    const id = await save(gate);
    rmSync(odd);
    rmSync(join(gate.root, 'we"ird\n\tname'));
    await restore(gate, id);
    expect(readFileSync(odd, "utf8")).toBe("odd");
    expect(readFileSync(join(gate.root, 'we"ird\n\tname'), "utf8")).toBe("weird");
  });

  it("works before the first commit, and in a folder that was never added", async () => {
    const gate = await gitGate();
    gate.write("a.txt", "a");
    const id = await save(gate);
    gate.write("a.txt", "b");
    await restore(gate, id);
    expect(readFileSync(join(gate.root, "a.txt"), "utf8")).toBe("a");
    expect(gate.git("status", "--porcelain")).toBe("?? a.txt\n");
  });

  it("saves tracked files also when they are ignored, and restores what became ignored meanwhile", async () => {
    const gate = await gitGate({ files: { ".gitignore": "*.tmp\n" } });
    gate.write("forced.tmp", "1");
    gate.git("add", "-f", "forced.tmp");
    gate.write("later.txt", "1");
    const id = await save(gate);
    gate.write("forced.tmp", "2");
    gate.write("later.txt", "2");
    gate.write(".gitignore", "*.tmp\nlater.txt\n");
    const { before } = (await gate.data("git.checkpoint", { action: "restore", id })) as { before: string };
    const read = (path: string) => readFileSync(join(gate.root, path), "utf8");
    expect([read("forced.tmp"), read("later.txt"), read(".gitignore")]).toEqual(["1", "1", "*.tmp\n"]);
    await gate.text("git.checkpoint", { action: "restore", id: before });
    expect([read("forced.tmp"), read("later.txt"), read(".gitignore")]).toEqual([
      "2",
      "2",
      "*.tmp\nlater.txt\n",
    ]);
  });

  it("does not delete what was ignored when the checkpoint was made", async () => {
    const gate = await gitGate({ files: { ".gitignore": "data/\n", "a.txt": "a" } });
    gate.write("data/big.csv", "precious");
    const id = await save(gate);
    gate.write(".gitignore", "");
    gate.write("made-since.txt", "x");
    expect(await gate.data("git.checkpoint", { action: "restore", id })).toMatchObject({
      written: 1,
      deleted: 1,
    });
    expect(readFileSync(join(gate.root, "data/big.csv"), "utf8")).toBe("precious");
    expect(existsSync(join(gate.root, "made-since.txt"))).toBe(false);
  });

  it("leaves other repositories inside alone, and says so", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    mkdirSync(join(gate.root, "inner"));
    git(join(gate.root, "inner"), "init", "-q");
    gate.write("inner/x.txt", "1");
    const text = await gate.text("git.checkpoint", { action: "save" });
    expect(text).toMatch(
      /^Saved 1 file as checkpoint .*\n\[Not in it, because repositories of their own: "inner"\.\]$/,
    );
    gate.write("inner/x.txt", "2");
    await gate.text("git.checkpoint", { action: "restore", id: /\d{8}-\d{9}-[0-9a-f]{4}/.exec(text)?.[0] });
    expect(readFileSync(join(gate.root, "inner/x.txt"), "utf8")).toBe("2");
  });

  it("restores nothing when something that is not saved stands in the way", async () => {
    const gate = await gitGate({ files: { ".gitignore": "*.log\nbuild/\n", "a.txt": "a" } });
    gate.write("out", "a file");
    const id = await save(gate);
    rmSync(join(gate.root, "out"));
    gate.write("out/precious.log", "ignored, so not saved");
    gate.write("a.txt", "b");
    const { code, message } = await gate.failure("git.checkpoint", { action: "restore", id });
    expect(code).toBe("in_the_way");
    expect(message).toMatch(/out[\s\S]*saved as checkpoint/);
    expect(readFileSync(join(gate.root, "a.txt"), "utf8")).toBe("b");
    expect(readFileSync(join(gate.root, "out/precious.log"), "utf8")).toBe("ignored, so not saved");
  });

  it("touches of a larger repository only the part that is the workspace", async () => {
    const whole = await gitGate({ files: { "a.txt": "a", "pkg/b.txt": "b" } });
    const { id } = (await whole.data("git.checkpoint", { action: "save" })) as { id: string };
    const part = await gitGate({ init: false, gate: { roots: [join(whole.root, "pkg")] } });
    whole.write("a.txt", "x");
    whole.write("pkg/b.txt", "x");
    whole.write("pkg/c.txt", "x");
    await part.text("git.checkpoint", { action: "restore", id });
    expect(treeOf(whole.root, outsideGit)).toMatchObject({
      "a.txt": `file ${btoa("x")}`,
      "pkg/b.txt": `file ${btoa("b")}`,
    });
    expect(existsSync(join(whole.root, "pkg/c.txt"))).toBe(false);
    const own = (await part.data("git.checkpoint", { action: "save" })) as { id: string };
    expect(whole.git("ls-tree", "-r", "--name-only", `refs/toolgate/checkpoints/${own.id}`).trim()).toBe(
      "pkg/b.txt",
    );
  });

  it("lists, newest first, and deletes, and the repository's own state stays as it is", async () => {
    const { root, text, data, code } = await gitGate({ files: { "a.txt": "a" } });
    const state = () => treeOf(join(root, ".git"), (path) => /^(?:objects|refs\/toolgate)/.test(path));
    const stateBefore = state();
    expect(await text("git.checkpoint", { action: "list" })).toBe("There are no checkpoints.");
    const first = (await data("git.checkpoint", { action: "save", label: "one\ntwo" })) as {
      id: string;
    };
    const { checkpoints } = (await data("git.checkpoint", { action: "list" })) as {
      checkpoints: object[];
    };
    expect(checkpoints).toEqual([{ id: first.id, date: expect.stringMatching(/^20/), label: "one two" }]);
    await data("git.checkpoint", { action: "save", message: "three" });
    expect(await text("git.checkpoint", { action: "list" })).toContain("three");
    expect(await text("git.checkpoint", { action: "delete", id: first.id })).toBe(
      `Checkpoint ${first.id} is deleted.`,
    );
    expect(await text("git.checkpoint", { action: "list" })).not.toContain("one two");
    expect(state()).toEqual(stateBefore);
    for (const action of ["restore", "delete"])
      expect(await code("git.checkpoint", { action, id: first.id })).toBe("not_found");
  });

  it("finds a restored state equal to itself", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    const id = await save(gate);
    expect(await gate.text("git.checkpoint", { action: "restore", id })).toBe(
      `Nothing differs from checkpoint ${id}.`,
    );
    expect(((await gate.data("git.checkpoint", { action: "list" })).checkpoints as object[]).length).toBe(1);
  });

  it("keeps its files from being cleaned away", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" } });
    gate.write("b.txt", "only here");
    const id = await save(gate);
    gate.git("gc", "-q", "--prune=now");
    rmSync(join(gate.root, "b.txt"));
    await restore(gate, id);
    expect(readFileSync(join(gate.root, "b.txt"), "utf8")).toBe("only here");
  });

  it.each([
    [{}],
    [{ action: "drop" }],
    [{ action: "restore" }],
    [{ action: "delete" }],
    [{ action: "save", id: "20260101-000000000-abcd" }],
    [{ action: "restore", id: "../../heads/main" }],
    [{ action: "restore", id: "--all" }],
    [{ action: "restore", id: "20260101-000000000-abcd\n" }],
    [{ action: "list", limit: 0 }],
    [{ action: "save", label: "x".repeat(201) }],
  ])("refuses the input %j", async (input) => {
    expect(await (await gitGate({ files: { a: "a" } })).code("git.checkpoint", input)).toBe("invalid_input");
  });

  it("says so outside of a repository", async () => {
    const none = await gitGate({ init: false });
    expect(await none.code("git.checkpoint", { action: "save" })).toBe("no_repository");
  });
});
