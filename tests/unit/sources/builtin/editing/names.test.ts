/** The names and shapes that other agents use reach the same tools, and are refused by the same rules. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findKnownTool } from "../../../../../src/core/tool/known-tools.ts";
import { words } from "../../../../words.ts";
import { rule } from "../../rule.ts";
import { stopped } from "../../stopped.ts";
import { editingGate } from "./editing-gate.ts";

const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";

/** What each agent would send to change `a` into `b` in the file at `path`. */
const edit = { old_string: "a", new_string: "b" };
const begin = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n-a\n+b\n*** End Patch`;
const otherMarks = block.replace("<<<<<<<", "-------").replace(">>>>>>>", "+++++++");
const twoSteps = [
  { ...edit, new_string: "x" },
  { ...edit, old_string: "x", replace_all: true },
];
const shapes: readonly (readonly [string, (path: string) => object])[] = [
  ["Write", (file_path) => ({ file_path, content: "b\n" })],
  ["write", (filePath) => ({ filePath, content: "b\n" })],
  ["write_file", (file_path) => ({ file_path, content: "b\n" })],
  ["write_to_file", (path) => ({ path, content: "b\n", line_count: 1, task_progress: "- [ ] x" })],
  ["file_write", (path) => ({ path, contents: "b\n" })],
  ["new_rule", (path) => ({ path, file_text: "b\n" })],
  ["fs_write", (target_file) => ({ target_file, content: "b\n" })],
  ["Edit", (file_path) => ({ file_path, ...edit, replace_all: false })],
  ["MultiEdit", (file_path) => ({ file_path, edits: twoSteps })],
  ["edit", (filePath) => ({ filePath, oldString: "a", newString: "b", replaceAll: true })],
  ["edit", (path) => ({ path, oldText: "a", newText: "b" })],
  ["edit", (path) => ({ path, edits: [{ oldText: "a", newText: "b" }] })],
  ["edit", (path) => ({ path, edits: JSON.stringify([edit]) })],
  ["replace", (file_path) => ({ file_path, ...edit, expected_replacements: 1, instruction: "Make it b." })],
  ["search_replace", (file_path) => ({ file_path, ...edit })],
  ["search_and_replace", (path) => ({ path, operations: [{ search: "a", replace: "b" }] })],
  ["search_and_replace", (path) => ({ path, search: "a", replace: "b" })],
  ["edit_file", (file_path) => ({ file_path, ...edit })],
  ["editor", (path) => ({ path, old_str: "a", new_str: "b" })],
  ["editor", (path) => ({ path, old_text: "a", new_text: "b" })],
  ["replace_in_file", (path) => ({ path, diff: block })],
  ["replace_in_file", (absolute_path) => ({ absolute_path, diff: otherMarks })],
  ["apply_diff", (path) => ({ path, diff: block.replace("SEARCH\n", "SEARCH\n:start_line:1\n-------\n") })],
  ["apply_diff", (path) => ({ files: [{ path, diff: block }] })],
  ["apply_patch", (path) => ({ input: begin(path) })],
  ["apply_patch", (path) => ({ command: ["apply_patch", begin(path)] })],
  ["apply_patch", (path) => ({ patchText: begin(path) })],
  ["patch", (path) => ({ patch: `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-a\n+b` })],
];

describe.each(shapes)("%s with the fields its agent uses", (tool, input) => {
  it("changes the file", async () => {
    const { call, read } = await editingGate({ "x.txt": "a\n" });
    expect(await call(tool, input("x.txt"))).toMatchObject({ ok: true, tool: findKnownTool(tool)!.id });
    expect(read("x.txt")).toBe("b\n");
  });

  it("is refused outside of the workspace and for protected files, by the same rule under every name", async () => {
    const { outside, call, read } = await editingGate({ ".env": "a\n" });
    for (const path of ["../x.txt", join(outside, "x.txt")]) {
      expect(await call(tool, input(path))).toMatchObject(stopped("no_approver", "outside-workspace"));
    }
    expect(await call(tool, input(".env"))).toMatchObject(stopped("policy_denied", "protected-path"));
    expect(read(".env")).toBe("a\n");
  });

  it("is judged by path and content when another agent runs it itself", async () => {
    const policies = [
      rule("deny", "*", [["path", "inside", "locked"]], { name: "path" }),
      rule(
        "deny",
        "*",
        [
          ["content", "contains", "b"],
          ["path", "equals", "x.txt"],
        ],
        { name: "content" },
      ),
    ];
    const gate = await editingGate({}, { gate: { policies } });
    const check = (path: string) => gate.gate.check({ tool, input: input(path), cwd: gate.root });
    expect(await check("locked/x.txt")).toMatchObject({ verdict: "deny", rule: { name: "path" } });
    expect(await check("x.txt")).toMatchObject({ verdict: "deny", rule: { name: "content" } });
    expect(await check("free.txt")).toMatchObject({ verdict: "abstain" });
  });
});

describe("the names of the editing tools", () => {
  it("are all known to the gate", async () => {
    const gate = await editingGate();
    for (const id of words("fs.write fs.edit fs.apply_diff fs.apply_patch fs.delete fs.move fs.mkdir"))
      for (const name of [id, ...findKnownTool(id)!.aliases]) expect(gate.gate.tools.get(name)?.id).toBe(id);
  });

  it("show a model only the canonical fields", async () => {
    const gate = await editingGate();
    const shown = Object.fromEntries(
      gate.gate.tools
        .definitions()
        .map(({ name, inputSchema }) => [
          name,
          Object.keys((inputSchema as { properties: object }).properties),
        ]),
    );
    expect(shown).toEqual({
      fs_write: ["path", "content", "create_parents", "expected_sha256", "keep_endings"],
      fs_edit: words("path old_string new_string replace_all expected_replacements edits expected_sha256"),
      fs_apply_diff: ["path", "diff", "files"],
      fs_apply_patch: ["patch"],
      fs_delete: ["path", "recursive"],
      fs_move: ["from", "to", "overwrite", "create_parents"],
      fs_mkdir: ["path"],
    });
  });
});
