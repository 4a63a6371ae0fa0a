import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxDeleted } from "../../../../../src/sources/builtin/editing/delete.ts";
import { stopped } from "../../stopped.ts";
import { type EditingGate, editingGate } from "./editing-gate.ts";

const outside = stopped("no_approver", "outside-workspace");
const denied = stopped("policy_denied", "protected-path");
/** The workspace has a link to what lies outside of it. */
async function open(files: Record<string, string> = {}): Promise<EditingGate> {
  const gate = await editingGate(files);
  symlinkSync(gate.outside, join(gate.root, "door"));
  return gate;
}

describe("fs.delete", () => {
  it("deletes a file and shows what it held", async () => {
    const { data, exists } = await editingGate({ "a.txt": "a\n" });
    const diff = "--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a";
    const told = { path: "a.txt", deleted: true, count: 1, diff };
    expect(await data("delete_file", { path: "a.txt" })).toMatchObject(told);
    expect(exists("a.txt")).toBe(false);
  });

  it("deletes a folder only when told so, and only up to a size", async () => {
    const { refusal, say, root } = await editingGate({ "d/a": "a", "d/e/b": "b" });
    expect(await refusal("fs.delete", { path: "d" })).toMatch(/is a folder. Say recursive: true/);
    const remove = (path: string) => say("fs.delete", { path, recursive: true });
    expect(await remove("d")).toBe("Deleted d and 3 entries in it.");
    mkdirSync(join(root, "many"));
    for (let index = 0; index <= maxDeleted; index += 1) writeFileSync(join(root, "many", String(index)), "");
    expect(await remove("many")).toMatch(/more than 1000 entries/);
    expect(readdirSync(join(root, "many"))).toHaveLength(maxDeleted + 1);
  });

  it("deletes a link and never what it leads to", async () => {
    const { root, text, read } = await editingGate({ "d/a": "a" });
    symlinkSync("d/a", join(root, "link"));
    symlinkSync("nowhere", join(root, "broken"));
    expect(await text("fs.delete", { path: "link" })).toBe("Deleted link.");
    expect(await text("fs.delete", { path: "broken" })).toBe("Deleted broken.");
    expect(read("d/a")).toBe("a");
  });

  it("never deletes a root, what git keeps, a protected file in a folder, or anything outside", async () => {
    const gate = await open({ ".git/config": "x", "d/.env": "x", "d/.git/config": "x", "d/ok": "x" });
    writeFileSync(join(gate.outside, "x.txt"), "x");
    const remove = (path: string) => gate.call("fs.delete", { path, recursive: true });
    for (const path of [".", gate.root])
      expect(await gate.refusal("fs.delete", { path, recursive: true })).toMatch(/root directory|\.git/);
    expect(await remove(".git")).toMatchObject(denied);
    expect(await gate.refusal("fs.delete", { path: "d", recursive: true })).toMatch(/may not be changed/);
    expect(readdirSync(join(gate.root, "d")).sort()).toEqual([".env", ".git", "ok"]);
    for (const path of ["../outside", "door/x.txt", gate.outside])
      expect(await remove(path)).toMatchObject(outside);
    expect(readFileSync(join(gate.outside, "x.txt"), "utf8")).toBe("x");
  });

  it("refuses what is not there", async () => {
    expect(await (await editingGate()).refusal("fs.delete", { path: "none" })).toMatch(/does not exist/);
  });
});

describe("fs.move", () => {
  it("moves files and folders, and makes the folders above unless that is not wanted", async () => {
    const { data, text, read, exists, refusal } = await editingGate({ "a.txt": "a", "d/x": "x" });
    const told = { from: "a.txt", to: "new/b.txt", diff: expect.stringContaining("rename to new/b.txt") };
    expect(await data("move_file", { source: "a.txt", destination: "new/b.txt" })).toMatchObject(told);
    await text("fs.move", { from: "d", to: "e" });
    expect([read("new/b.txt"), read("e/x"), exists("d")]).toEqual(["a", "x", false]);
    const without = { from: "e/x", to: "f/x", create_parents: false };
    expect(await refusal("fs.move", without)).toMatch(/does not exist/);
  });

  it("replaces nothing unless asked, and never a folder", async () => {
    const { refusal, text, read, exists } = await editingGate({ "a.txt": "a", "b.txt": "b", "d/x": "x" });
    expect(await refusal("fs.move", { from: "a.txt", to: "b.txt" })).toMatch(/exists already/);
    expect(await refusal("fs.move", { from: "a.txt", to: "d", overwrite: true })).toMatch(/is a directory/);
    await text("fs.move", { from: "a.txt", to: "b.txt", overwrite: true });
    expect([read("b.txt"), exists("a.txt")]).toEqual(["a", false]);
  });

  it("moves a link itself", async () => {
    const { root, text, read, exists } = await editingGate({ "a.txt": "a" });
    symlinkSync("a.txt", join(root, "link"));
    await text("fs.move", { from: "link", to: "other" });
    expect([read("a.txt"), read("other"), exists("link")]).toEqual(["a", "a", false]);
  });

  it.for([
    ["a.txt", "../outside/a", outside],
    ["a.txt", "door/a", outside],
    ["../outside/a", "b", outside],
    [".env", "b", denied],
    ["a.txt", ".env.local", denied],
    ["a.txt", ".git/hooks/pre-commit", denied],
    [".", "d/root", { error: { message: expect.stringMatching(/root directory/) } }],
    ["d", "d/e", { error: { message: expect.stringMatching(/inside, what would be moved/) } }],
    ["none", "x", { error: { message: expect.stringMatching(/does not exist/) } }],
  ] as const)("does not move %s to %s", async ([from, to, refusal]) => {
    const { call, outside } = await open({ "a.txt": "a", ".env": "x", "d/x": "x" });
    expect(await call("fs.move", { from, to })).toMatchObject({ ok: false, ...refusal });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("fs.mkdir", () => {
  it("makes a folder and those above it, and says when it was there", async () => {
    const { data, exists } = await editingGate();
    const made = await data("create_directory", { directory: "a/b/c" });
    expect(made).toMatchObject({ path: "a/b/c", created: true });
    expect(await data("fs.mkdir", { path: "a/b/" })).toMatchObject({ created: false });
    expect(exists("a/b/c")).toBe(true);
  });

  it("refuses a file in its place, protected names and what is outside", async () => {
    const gate = await open({ a: "x" });
    expect(await gate.refusal("fs.mkdir", { path: "a" })).toMatch(/not a directory/);
    for (const path of ["../new", "door/new"])
      expect(await gate.call("fs.mkdir", { path })).toMatchObject(outside);
    for (const path of [".ssh", ".git/hooks"])
      expect(await gate.call("fs.mkdir", { path })).toMatchObject(denied);
    expect(readdirSync(gate.outside)).toEqual([]);
  });
});

it.for([
  ["fs.delete", {}],
  ["fs.delete", { path: "", recursive: "yes" }],
  ["fs.delete", { path: "a", force: true }],
  ["fs.move", {}],
  ["fs.move", { from: "a" }],
  ["fs.move", { from: "a", source: "b", to: "c" }],
  ["fs.mkdir", {}],
] as const)("%s refuses the input %j", async ([tool, input]) => {
  expect(await (await editingGate()).code(tool, input)).toBe("invalid_input");
});
