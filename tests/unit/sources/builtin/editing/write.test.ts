import { chmodSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../../../src/core/call/session-key.ts";
import { hashOf } from "../../../../../src/sources/builtin/editing/journal/record.ts";
import { createSeenFiles } from "../../../../../src/sources/builtin/editing/seen-files.ts";
import { editingGate } from "./editing-gate.ts";

describe("fs.write", () => {
  it("creates a file, with the folders above it unless that is not wanted", async () => {
    const gate = await editingGate();
    const outcome = await gate.call("fs.write", { path: "x/y/a.txt", content: "a\n" });
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
    expect(gate.read("x/y/a.txt")).toBe("a\n");
    expect(await gate.refusal("fs.write", { path: "z/a.txt", content: "a", create_parents: false })).toMatch(
      /"z" does not exist/,
    );
    expect(gate.exists("z")).toBe(false);
  });

  it("replaces a file as a whole, keeps its mode, and shows the difference", async () => {
    const gate = await editingGate({ "a.txt": "a\nb\n" });
    chmodSync(join(gate.root, "a.txt"), 0o751);
    expect(await gate.text("fs.write", { path: "a.txt", content: "a\nc\n" })).toBe(
      "Changed a.txt (+1 -1).\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c",
    );
    expect(statSync(join(gate.root, "a.txt")).mode & 0o777).toBe(0o751);
    expect(readdirSync(gate.root)).toEqual(["a.txt"]);
  });

  it("says when the file already is so, and writes nothing", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const before = statSync(join(gate.root, "a.txt")).ino;
    const outcome = await gate.call("fs.write", { path: "a.txt", content: "a\n" });
    expect(outcome).toMatchObject({ ok: true, value: { created: false, changed: false, diff: "" } });
    expect(statSync(join(gate.root, "a.txt")).ino).toBe(before);
  });

  it("keeps line breaks and byte order mark of the file, unless told not to", async () => {
    const gate = await editingGate({ "a.txt": "\ufeffa\r\nb\r\n" });
    await gate.text("fs.write", { path: "a.txt", content: "x\ny\n" });
    expect(gate.read("a.txt")).toBe("\ufeffx\r\ny\r\n");
    await gate.text("fs.write", { path: "a.txt", content: "x\ny\n", keep_endings: false });
    expect(gate.read("a.txt")).toBe("x\ny\n");
  });

  it("replaces what is no text, and what is too large to be shown", async () => {
    const gate = await editingGate({
      "a.bin": Buffer.from([0, 1, 2]),
      "big.txt": Buffer.alloc(11 * 1024 * 1024, "a"),
    });
    expect(await gate.text("fs.write", { path: "a.bin", content: "text\n" })).toContain("(not text)");
    expect(await gate.call("fs.write", { path: "big.txt", content: "small\n" })).toMatchObject({
      ok: true,
      value: { created: false },
    });
    expect([gate.read("a.bin"), gate.read("big.txt")]).toEqual(["text\n", "small\n"]);
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

  it("refuses a file that changed since it was read", async () => {
    const seen = createSeenFiles();
    const gate = await editingGate({ "a.txt": "a\n" }, { ports: { seen } });
    const expected_sha256 = hashOf(Buffer.from("other"));
    expect(await gate.refusal("fs.write", { path: "a.txt", content: "x", expected_sha256 })).toMatch(
      /changed since it was read/,
    );
    expect(await gate.refusal("fs.write", { path: "none.txt", content: "x", expected_sha256 })).toMatch(
      /does not exist/,
    );
    seen.note(sessionKey("local", "s"), join(gate.root, "a.txt"), expected_sha256);
    expect(await gate.refusal("fs.write", { path: "a.txt", content: "x" }, { sessionId: "s" })).toMatch(
      /changed since this session read it/,
    );
    expect(gate.read("a.txt")).toBe("a\n");
    const good = hashOf(Buffer.from("a\n")).toUpperCase();
    expect(await gate.call("fs.write", { path: "a.txt", content: "x", expectedSha256: good })).toMatchObject({
      ok: true,
    });
    expect(await gate.call("fs.write", { path: "a.txt", content: "y" }, { sessionId: "new" })).toMatchObject({
      ok: true,
    });
    expect(await gate.call("fs.write", { path: "a.txt", content: "z" }, { sessionId: "new" })).toMatchObject({
      ok: true,
    });
  });

  it("refuses what is no regular file of the workspace", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    mkdirSync(join(gate.root, "folder"));
    writeFileSync(join(gate.outside, "x.txt"), "x");
    symlinkSync(gate.outside, join(gate.root, "door"));
    linkSync(join(gate.outside, "x.txt"), join(gate.root, "hard.txt"));
    const write = (path: string) => gate.call("fs.write", { path, content: "new" });
    for (const path of ["door/x.txt", "../outside/x.txt", join(gate.outside, "x.txt"), "/etc/x", "~/x"])
      expect(await write(path)).toMatchObject({
        ok: false,
        error: { code: "no_approver", rule: { name: "outside-workspace" } },
      });
    expect(await gate.refusal("fs.write", { path: "folder", content: "x" })).toMatch(/is a directory/);
    expect(await gate.refusal("fs.write", { path: "hard.txt", content: "x" })).toMatch(/hard link/);
    for (const path of [".env", ".git/config", "sub/.ssh/id_rsa", ".vscode/tasks.json"])
      expect(await write(path)).toMatchObject({
        ok: false,
        error: { code: "policy_denied", rule: { name: "protected-path" } },
      });
    expect((await import("node:fs")).readFileSync(join(gate.outside, "x.txt"), "utf8")).toBe("x");
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

  it("refuses plan mode, a caller without the capability, a category that is off, and input that does not fit", async () => {
    const input = { path: "a.txt", content: "x" };
    const gate = await editingGate();
    expect(await gate.call("fs.write", input, { mode: "plan" })).toMatchObject({
      error: { code: "plan_mode" },
    });
    expect(await gate.call("fs.write", input, { caller: { id: "c", capabilities: [] } })).toMatchObject({
      error: { code: "missing_capability" },
    });
    const off = await editingGate({}, { gate: { enable: {} } });
    expect(await off.call("fs.write", input)).toMatchObject({ error: { code: "category_disabled" } });
    for (const bad of [
      {},
      { path: "a.txt" },
      { content: "x" },
      { ...input, mode: 1 },
      { path: 7, content: "x" },
      { ...input, file_path: "b.txt" },
    ])
      expect(await gate.call("fs.write", bad)).toMatchObject({ error: { code: "invalid_input" } });
    expect(await gate.refusal("fs.write", { path: "a.txt", content: "\ud800" })).toMatch(
      /half a surrogate pair/,
    );
    expect(readdirSync(gate.root)).toEqual([]);
  });
});
