import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../../../../src/sources/builtin/editing/journal/record.ts";
import { stopped } from "../../stopped.ts";
import { editingGate } from "./editing-gate.ts";

describe("fs.write", () => {
  it("creates a file, with the folders above it unless that is not wanted", async () => {
    const { call, read, refusal, exists } = await editingGate();
    const outcome = await call("fs.write", { path: "x/y/a.txt", content: "a\n" });
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        path: "x/y/a.txt",
        created: true,
        changed: true,
        added: 1,
        removed: 0,
        sha256: hashOf(Buffer.from("a\n")),
        diff: "--- /dev/null\n+++ b/x/y/a.txt\n@@ -0,0 +1,1 @@\n+a",
      },
    });
    expect(read("x/y/a.txt")).toBe("a\n");
    expect(await refusal("fs.write", { path: "z/a.txt", content: "a", create_parents: false })).toMatch(
      /"z" does not exist/,
    );
    expect(exists("z")).toBe(false);
  });

  it("replaces a file as a whole, keeps its mode, and shows the difference", async () => {
    const { root, text } = await editingGate({ "a.txt": "a\nb\n" });
    chmodSync(join(root, "a.txt"), 0o751);
    expect(await text("fs.write", { path: "a.txt", content: "a\nc\n" })).toBe(
      "Changed a.txt (+1 -1).\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
    );
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o751);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("says when the file already is so, and writes nothing", async () => {
    const { root, call } = await editingGate({ "a.txt": "a\n" });
    const before = statSync(join(root, "a.txt")).ino;
    const outcome = await call("fs.write", { path: "a.txt", content: "a\n" });
    expect(outcome).toMatchObject({ ok: true, value: { created: false, changed: false, diff: "" } });
    expect(statSync(join(root, "a.txt")).ino).toBe(before);
  });

  it("keeps line breaks and byte order mark of the file, unless told not to", async () => {
    const { text, read } = await editingGate({ "a.txt": "\ufeffa\r\nb\r\n" });
    await text("fs.write", { path: "a.txt", content: "x\ny\n" });
    expect(read("a.txt")).toBe("\ufeffx\r\ny\r\n");
    await text("fs.write", { path: "a.txt", content: "x\ny\n", keep_endings: false });
    expect(read("a.txt")).toBe("x\ny\n");
  });

  it("replaces what is no text, and what is too large to be shown", async () => {
    const { text, call, read } = await editingGate({
      "a.bin": Buffer.from([0, 1, 2]),
      "big.txt": Buffer.alloc(11 * 1024 * 1024, "a"),
    });
    expect(await text("fs.write", { path: "a.bin", content: "text\n" })).toContain("(not text)");
    expect(await call("fs.write", { path: "big.txt", content: "small\n" })).toMatchObject({
      ok: true,
      value: { created: false },
    });
    expect([read("a.bin"), read("big.txt")]).toEqual(["text\n", "small\n"]);
  });

  it("shows only the beginning of a long diff", async () => {
    const gate = await editingGate();
    const content = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${"x".repeat(500)}\n`).join(
      "",
    );
    const text = await gate.text("fs.write", { path: "a.txt", content });
    expect(text).toMatch(/\n\+line 10 x+…\n.*… 4\d\d\d more lines of diff$/s);
    expect(text.length).toBeLessThan(10_000);
  });

  it("refuses what is no regular file of the workspace", async () => {
    const { root, outside, call, refusal } = await editingGate({ "a.txt": "a\n" });
    mkdirSync(join(root, "folder"));
    writeFileSync(join(outside, "x.txt"), "x");
    symlinkSync(outside, join(root, "door"));
    linkSync(join(outside, "x.txt"), join(root, "hard.txt"));
    const write = (path: string) => call("fs.write", { path, content: "new" });
    for (const path of ["door/x.txt", "../outside/x.txt", join(outside, "x.txt"), "/etc/x", "~/x"])
      expect(await write(path)).toMatchObject(stopped("no_approver", "outside-workspace"));
    expect(await refusal("fs.write", { path: "folder", content: "x" })).toMatch(/is a directory/);
    expect(await refusal("fs.write", { path: "hard.txt", content: "x" })).toMatch(/hard link/);
    for (const path of [".env", ".git/config", "sub/.ssh/id_rsa", ".vscode/tasks.json"])
      expect(await write(path)).toMatchObject(stopped("policy_denied", "protected-path"));
    expect(readFileSync(join(outside, "x.txt"), "utf8")).toBe("x");
  });

  it("refuses toolgate's own state, even where a policy opens it", async () => {
    const gate = await editingGate();
    const stateFolder = join(gate.root, "state");
    const inside = await editingGate({}, { ports: { stateFolder }, gate: { roots: [gate.root] } });
    expect(
      await inside.call(
        "fs.write",
        { path: join(stateFolder, "journals/x"), content: "x" },
        { cwd: gate.root },
      ),
    ).toMatchObject({ ok: false, error: { message: expect.stringContaining("belongs to toolgate itself") } });
  });

  const input = { path: "a.txt", content: "x" };
  it.for([
    {},
    { path: "a.txt" },
    { content: "x" },
    { ...input, mode: 1 },
    { path: 7, content: "x" },
    { ...input, file_path: "b.txt" },
  ])("refuses the input %j", async (bad) => {
    const { code, root } = await editingGate();
    expect(await code("fs.write", bad)).toBe("invalid_input");
    expect(readdirSync(root)).toEqual([]);
  });

  it("refuses half a character", async () => {
    const { refusal } = await editingGate();
    expect(await refusal("fs.write", { path: "a.txt", content: "\ud800" })).toMatch(/half a surrogate pair/);
  });
});
