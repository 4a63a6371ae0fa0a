/** A patch holds its paths in its text. Every rule about paths must see them, or a patch would be the way around the rule. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rule } from "../../rule.ts";
import { stopped } from "../../stopped.ts";
import { editingGate } from "./editing-gate.ts";

const forms: readonly (readonly [string, (path: string) => string])[] = [
  ["an update", (path) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`],
  ["an added file", (path) => `*** Begin Patch\n*** Add File: ${path}\n+b\n*** End Patch`],
  ["a deleted file", (path) => `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`],
  [
    "a move",
    (path) => `*** Begin Patch\n*** Update File: ok.txt\n*** Move to: ${path}\n@@\n-a\n+b\n*** End Patch`,
  ],
  [
    "the second of two files",
    (path) =>
      `*** Begin Patch\n*** Update File: ok.txt\n@@\n-a\n+b\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`,
  ],
  [
    "a padded marker",
    (path) => `*** Begin Patch\n   *** Update File:   ${path}  \n@@\n-a\n+b\n*** End Patch`,
  ],
  ["a unified diff", (path) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b`],
  ["a diff without prefixes", (path) => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-a\n+b`],
  [
    "a rename",
    (path) => `diff --git a/ok.txt b/${path}\nsimilarity index 100%\nrename from ok.txt\nrename to ${path}`,
  ],
  ["an empty new file", (path) => `diff --git a/${path} b/${path}\nnew file mode 100644`],
];
const names = ["fs.apply_patch", "fs_apply_patch", "apply_patch", "patch"];
const fields = ["patch", "input", "command", "patchText"];

describe.each(forms)("%s", (_, patchOf) => {
  it("of a protected file is denied by the rule that denies fs.write", async () => {
    const { call, read } = await editingGate({ ".env": "a\n", "ok.txt": "a\n" });
    const write = await call("fs.write", { path: ".env", content: "x" });
    expect(write).toMatchObject(stopped("policy_denied", "protected-path"));
    for (const tool of names) {
      for (const field of fields) {
        const outcome = await call(tool, { [field]: patchOf(".env") });
        expect(outcome).toMatchObject(stopped("policy_denied", "protected-path"));
      }
    }
    expect(read(".env")).toBe("a\n");
  });

  it("with a backslash is refused: another system reads it as a folder and its file", async () => {
    const { call, read } = await editingGate({ "ok.txt": "a\n", "sub\\ok.txt": "a\n" });
    for (const path of ["sub\\ok.txt", "..\\x.txt", "sub\\..\\..\\x.txt", "C:\\x.txt", "sub/a\\b.txt"]) {
      const outcome = await call("apply_patch", { patch: patchOf(path) });
      expect(outcome).toMatchObject(stopped("invalid_input"));
      expect(JSON.stringify(outcome)).toContain("Separate folders with /");
    }
    expect(read("sub\\ok.txt")).toBe("a\n");
    expect(read("ok.txt")).toBe("a\n");
  });

  it("outside of the workspace is refused by the rule that refuses fs.write, also through a link", async () => {
    const { outside, root, call } = await editingGate({ "ok.txt": "a\n" });
    symlinkSync(outside, join(root, "door"));
    for (const path of ["../x.txt", join(outside, "x.txt"), "door/x.txt", "sub/../../x.txt"]) {
      const write = await call("fs.write", { path, content: "x" });
      const patch = await call("apply_patch", { input: patchOf(path) });
      for (const outcome of [write, patch])
        expect(outcome).toMatchObject(stopped("no_approver", "outside-workspace"));
    }
  });

  it("meets a policy about its path, also when another agent would apply it itself", async () => {
    const deny = rule("deny", "*", [["path", "inside", "prod"]], { name: "no-prod", priority: 5 });
    const gate = await editingGate({ "prod/a.txt": "a\n", "ok.txt": "a\n" }, { gate: { policies: [deny] } });
    expect(await gate.call("fs.write", { path: "prod/a.txt", content: "x" })).toMatchObject({
      error: { rule: { name: "no-prod" } },
    });
    for (const tool of names) {
      const input = { input: patchOf("prod/a.txt") };
      expect(await gate.call(tool, input)).toMatchObject({ ok: false, error: { rule: { name: "no-prod" } } });
      expect(await gate.gate.check({ tool, input, cwd: gate.root })).toMatchObject({
        verdict: "deny",
        rule: { name: "no-prod" },
      });
    }
    const list = { command: ["apply_patch", patchOf("prod/a.txt")] };
    expect(await gate.gate.check({ tool: "apply_patch", input: list, cwd: gate.root })).toMatchObject({
      verdict: "deny",
    });
  });

  it("meets the same policy in a gate that does not have the tool", async () => {
    const all = rule("deny", "*", [["path", "equals", ".env"]], { name: "no-env" });
    const gate = await editingGate({}, { gate: { tools: [], policies: [all] } });
    expect(
      await gate.gate.check({ tool: "apply_patch", input: { input: patchOf(".env") }, cwd: gate.root }),
    ).toMatchObject({ verdict: "deny", rule: { name: "no-env" } });
  });

  it("meets a route about paths", async () => {
    const routes = [
      { name: "generated", tool: "*", field: "path", pattern: "generated/", message: "Run the generator." },
    ];
    const gate = await editingGate({}, { gate: { routes } });
    expect(await gate.call("apply_patch", { input: patchOf("generated/x.ts") })).toMatchObject({
      ok: false,
      error: { code: "route_blocked", message: "Run the generator." },
    });
  });
});

describe("a patch", () => {
  it("inside of a folder that a policy approves goes through, and one that leaves it asks", async () => {
    const approve = rule("approve", "fs.*", [["path", "inside", "src"]]);
    const gate = await editingGate({ "src/a.txt": "a\n", "b.txt": "a\n" }, { gate: { policies: [approve] } });
    const [, patchOf] = forms[0]!;
    expect(await gate.call("apply_patch", { input: patchOf("b.txt") })).toMatchObject(stopped("no_approver"));
    expect(await gate.call("apply_patch", { input: patchOf("src/a.txt") })).toMatchObject({ ok: true });
  });

  it("whose text names no file that can be read is not approved by a policy about paths", async () => {
    const approve = rule("approve", "*", [["path", "inside", "src"]]);
    const deny = rule("deny", "*", [["path", "inside", "prod"]], { name: "no-prod", priority: 5 });
    const gate = await editingGate(
      {},
      { gate: { tools: [], policies: [approve, deny], checkDefault: "ask" } },
    );
    const input = { input: "some format nobody knows: prod/x" };
    expect(
      (await gate.gate.check({ tool: "apply_patch", input, cwd: gate.root }, { wait: false })).verdict,
    ).toBe("ask");
  });

  it("reaches a protected file that a policy opens by name, and no other one by way of it", async () => {
    const open = rule("approve", "*", [["path", "equals", ".env"]]);
    const gate = await editingGate({ ".env": "a\n" }, { gate: { policies: [open] } });
    const [, patchOf] = forms[0]!;
    expect(await gate.call("apply_patch", { input: patchOf(".env") })).toMatchObject({ ok: true });
    expect(gate.read(".env")).toBe("b\n");
    expect(await gate.call("fs.write", { path: ".env", content: "c\n" })).toMatchObject({ ok: true });
    expect(await gate.call("fs.write", { path: ".env.local", content: "c\n" })).toMatchObject(
      stopped("policy_denied"),
    );
  });
});
