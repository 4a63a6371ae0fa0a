import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxDeleted } from "../../../../../src/sources/builtin/editing/delete.ts";
import { editingGate } from "./editing-gate.ts";

describe("fs.delete", () => {
  it("deletes a file and shows what it held", async () => {
    const gate = await editingGate({ "a.txt": "a\n" });
    const outcome = await gate.call("delete_file", { path: "a.txt" });
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        path: "a.txt",
        deleted: true,
        count: 1,
        diff: "--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a",
      },
    });
    expect(gate.exists("a.txt")).toBe(false);
  });

  it("deletes a folder only when told so, and only up to a size", async () => {
    const gate = await editingGate({ "d/a": "a", "d/e/b": "b" });
    expect(await gate.refusal("fs.delete", { path: "d" })).toMatch(/is a folder. Say recursive: true/);
    expect(await gate.text("fs.delete", { path: "d", recursive: true })).toBe(
      "Deleted d and 3 entries in it.",
    );
    mkdirSync(join(gate.root, "many"));
    for (let index = 0; index <= maxDeleted; index += 1)
      writeFileSync(join(gate.root, "many", String(index)), "");
    expect(await gate.refusal("fs.delete", { path: "many", recursive: true })).toMatch(
      /more than 1000 entries/,
    );
    expect(readdirSync(join(gate.root, "many"))).toHaveLength(maxDeleted + 1);
  });

  it("deletes a link and never what it leads to", async () => {
    const gate = await editingGate({ "d/a": "a" });
    symlinkSync("d/a", join(gate.root, "link"));
    symlinkSync("nowhere", join(gate.root, "broken"));
    expect(await gate.text("fs.delete", { path: "link" })).toBe("Deleted link.");
    expect(await gate.text("fs.delete", { path: "broken" })).toBe("Deleted broken.");
    expect(gate.read("d/a")).toBe("a");
  });

  it("never deletes a root, what git keeps, a protected file in a folder, or anything outside", async () => {
    const gate = await editingGate({ ".git/config": "x", "d/.env": "x", "d/.git/config": "x", "d/ok": "x" });
    writeFileSync(join(gate.outside, "x.txt"), "x");
    symlinkSync(gate.outside, join(gate.root, "door"));
    expect(await gate.refusal("fs.delete", { path: ".", recursive: true })).toMatch(/root directory|\.git/);
    expect(await gate.refusal("fs.delete", { path: gate.root, recursive: true })).toMatch(
      /root directory|\.git/,
    );
    expect(await gate.call("fs.delete", { path: ".git", recursive: true })).toMatchObject({
      error: { code: "policy_denied", rule: { name: "protected-path" } },
    });
    expect(await gate.refusal("fs.delete", { path: "d", recursive: true })).toMatch(/may not be changed/);
    expect(readdirSync(join(gate.root, "d")).sort()).toEqual([".env", ".git", "ok"]);
    for (const path of ["../outside", "door/x.txt", gate.outside])
      expect(await gate.call("fs.delete", { path, recursive: true })).toMatchObject({
        error: { rule: { name: "outside-workspace" } },
      });
    expect(readFileSync(join(gate.outside, "x.txt"), "utf8")).toBe("x");
  });

  it("refuses what is not there and input that does not fit", async () => {
    const gate = await editingGate();
    expect(await gate.refusal("fs.delete", { path: "none" })).toMatch(/does not exist/);
    for (const bad of [{}, { path: "", recursive: "yes" }, { path: "a", force: true }])
      expect(await gate.call("fs.delete", bad)).toMatchObject({
        ok: false,
        error: { code: "invalid_input" },
      });
    expect(await gate.call("fs.delete", { path: "a" }, { mode: "plan" })).toMatchObject({
      error: { code: "plan_mode" },
    });
  });
});

describe("fs.move", () => {
  it("moves files and folders, and makes the folders above unless that is not wanted", async () => {
    const gate = await editingGate({ "a.txt": "a", "d/x": "x" });
    const outcome = await gate.call("move_file", { source: "a.txt", destination: "new/b.txt" });
    expect(outcome).toMatchObject({
      ok: true,
      value: { from: "a.txt", to: "new/b.txt", diff: expect.stringContaining("rename to new/b.txt") },
    });
    await gate.text("fs.move", { from: "d", to: "e" });
    expect([gate.read("new/b.txt"), gate.read("e/x"), gate.exists("d")]).toEqual(["a", "x", false]);
    expect(await gate.refusal("fs.move", { from: "e/x", to: "f/x", create_parents: false })).toMatch(
      /does not exist/,
    );
  });

  it("replaces nothing unless asked, and never a folder", async () => {
    const gate = await editingGate({ "a.txt": "a", "b.txt": "b", "d/x": "x" });
    expect(await gate.refusal("fs.move", { from: "a.txt", to: "b.txt" })).toMatch(/exists already/);
    expect(await gate.refusal("fs.move", { from: "a.txt", to: "d", overwrite: true })).toMatch(
      /is a directory/,
    );
    await gate.text("fs.move", { from: "a.txt", to: "b.txt", overwrite: true });
    expect([gate.read("b.txt"), gate.exists("a.txt")]).toEqual(["a", false]);
  });

  it("moves a link itself", async () => {
    const gate = await editingGate({ "a.txt": "a" });
    symlinkSync("a.txt", join(gate.root, "link"));
    await gate.text("fs.move", { from: "link", to: "other" });
    expect([gate.read("a.txt"), gate.read("other"), gate.exists("link")]).toEqual(["a", "a", false]);
  });

  it("refuses both ends outside, protected ones, a root, a folder into itself and what is not there", async () => {
    const gate = await editingGate({ "a.txt": "a", ".env": "x", "d/x": "x" });
    symlinkSync(gate.outside, join(gate.root, "door"));
    for (const [from, to] of [
      ["a.txt", "../outside/a"],
      ["a.txt", "door/a"],
      ["../outside/a", "b"],
    ])
      expect(await gate.call("fs.move", { from, to })).toMatchObject({
        error: { rule: { name: "outside-workspace" } },
      });
    for (const [from, to] of [
      [".env", "b"],
      ["a.txt", ".env.local"],
      ["a.txt", ".git/hooks/pre-commit"],
    ])
      expect(await gate.call("fs.move", { from, to })).toMatchObject({
        error: { code: "policy_denied", rule: { name: "protected-path" } },
      });
    expect(await gate.refusal("fs.move", { from: ".", to: "d/root" })).toMatch(/root directory/);
    expect(await gate.refusal("fs.move", { from: "d", to: "d/e" })).toMatch(/inside, what would be moved/);
    expect(await gate.refusal("fs.move", { from: "none", to: "x" })).toMatch(/does not exist/);
    for (const bad of [{}, { from: "a" }, { from: "a", source: "b", to: "c" }])
      expect(await gate.call("fs.move", bad)).toMatchObject({ error: { code: "invalid_input" } });
    expect(await gate.call("fs.move", { from: "a.txt", to: "b" }, { mode: "plan" })).toMatchObject({
      error: { code: "plan_mode" },
    });
  });
});

describe("fs.mkdir", () => {
  it("makes a folder and those above it, and says when it was there", async () => {
    const gate = await editingGate();
    expect(await gate.call("create_directory", { directory: "a/b/c" })).toMatchObject({
      ok: true,
      value: { path: "a/b/c", created: true },
    });
    expect(await gate.call("fs.mkdir", { path: "a/b/" })).toMatchObject({
      ok: true,
      value: { created: false },
    });
    expect(gate.exists("a/b/c")).toBe(true);
  });

  it("refuses a file in its place, protected names and what is outside", async () => {
    const gate = await editingGate({ a: "x" });
    symlinkSync(gate.outside, join(gate.root, "door"));
    expect(await gate.refusal("fs.mkdir", { path: "a" })).toMatch(/not a directory/);
    for (const path of ["../new", "door/new"])
      expect(await gate.call("fs.mkdir", { path })).toMatchObject({
        error: { rule: { name: "outside-workspace" } },
      });
    for (const path of [".ssh", ".git/hooks"])
      expect(await gate.call("fs.mkdir", { path })).toMatchObject({ error: { code: "policy_denied" } });
    expect(await gate.call("fs.mkdir", {})).toMatchObject({ error: { code: "invalid_input" } });
    expect(await gate.call("fs.mkdir", { path: "b" }, { mode: "plan" })).toMatchObject({
      error: { code: "plan_mode" },
    });
    expect(readdirSync(gate.outside)).toEqual([]);
  });
});
