import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { allKnownTools } from "../../../../src/core/tool/known-tools.ts";
import { createGate, type Gate } from "../../../../src/index.ts";
import { type BuiltinTools, createBuiltinTools } from "../../../../src/sources/builtin/builtin-tools.ts";
import { defineBuiltin } from "../../../../src/sources/builtin/define-builtin.ts";
import { words } from "../../../words.ts";
import { rule } from "../rule.ts";
import { stopped } from "../stopped.ts";

const table = join(import.meta.dirname, "../../../../scripts/foreign-shapes.json");
const shapes: { name: string; input: object }[] = JSON.parse(readFileSync(table, "utf8"));

let folder = "";
let builtin: BuiltinTools;
let gate: Gate;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-shapes-")));
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  writeFileSync(join(folder, "a.txt"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "b.txt"), "B one\nB two\n");
  writeFileSync(join(folder, "closed.txt"), "closed\n");
  builtin = createBuiltinTools({ editing: { stateFolder: join(folder, "state") } });
  gate = await createGate({
    tools: builtin.tools,
    roots: [folder],
    enable: { enableAll: true },
    policies: [rule("deny", "fs.read", [["path", "contains", "closed"]])],
    routes: [
      { name: "no pulls", tool: "WebFetch", pattern: "^https://example\\.com/pull/", message: "Use gh." },
    ],
  });
});
afterAll(async () => {
  await gate.close();
  await builtin.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(name: string, input: object): Promise<string> {
  const outcome = await gate.dispatch({ tool: name, input });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return textOf(outcome.result);
}

/** What the tool is given. */
async function meant(name: string, input: object): Promise<unknown> {
  const result = await gate.tools.validateCall(name, input);
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join("; "));
  return result.value;
}

describe("the shapes of other agents", () => {
  it.each(shapes)("$name is taken as it is written there: $input", async ({ name, input }) => {
    expect(await gate.tools.validateCall(name, input)).toMatchObject({ ok: true });
  });

  it("have an example for every alias, but for the one that is refused", () => {
    const named = new Set(shapes.map(({ name }) => name));
    const without = allKnownTools()
      .flatMap(({ aliases }) => aliases)
      .filter((name) => !named.has(name));
    expect(without).toEqual(["NotebookEdit"]);
  });

  it.each([
    ["NotebookEdit", { notebook_path: "a.ipynb", cell_id: "1", new_source: "x" }, "JSON text"],
    ["read_file", { path: "a", mode: "indentation", indentation: { anchor_line: 4 } }, "startLine"],
    ["read_file", { files: [{ path: "a", line_ranges: ["from 1 on"] }] }, '"1-50"'],
    ["read_file", { path: "a", mode: "sideways" }, "mode"],
    ["Read", { file_path: "a.pdf", pages: "1-2" }, "pdftotext"],
    ["editor", { path: "a", new_text: "x", insert_line: 4 }, "old_string"],
    ["edit_file", { target_file: "a", code_edit: "x" }, "old_string"],
    ["exec_command", { cmd: "ls", tty: true }, "no terminal"],
    ["exec_command", { cmd: "ls", shell: "/bin/fish" }, "leave shell out"],
    ["run_commands", { commands: [{ command: "ls", args: "-l" }] }, "list of texts"],
    ["Grep", { pattern: "x", offset: 10 }, "limit"],
    ["Grep", { pattern: "x", multiline: true }, "multiline"],
    ["search_codebase", { query: "x", target_directories: ["a", "b"] }, "one folder"],
  ])("%s is refused with advice where it asks for what is not there: %j", async (name, input, advice) => {
    const result = await gate.tools.validateCall(name, input);
    expect(result).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining(advice) }] });
  });
});

describe("lines", () => {
  const third = "3\tline 3\n4\tline 4\n[Lines 3-4 of 20. Read on with ";
  it.each([
    ["fs.read", { path: "a.txt", offset: 2, limit: 2 }],
    ["file_read", { path: "a.txt", offset: 2, limit: 2 }],
    ["Read", { file_path: "a.txt", offset: 3, limit: 2 }],
    ["read", { filePath: "a.txt", offset: 3, limit: 2 }],
    ["read", { path: "a.txt", offset: 3, limit: 2 }],
    ["read_file", { path: "a.txt", offset: 3, limit: 2 }],
    ["read_file", { absolute_path: "a.txt", offset: 2, limit: 2 }],
    ["read_file", { file_path: "a.txt", start_line: 3, end_line: 4 }],
    ["read_file", { files: [{ path: "a.txt", line_ranges: [[3, 4]] }] }],
    ["read_file", { args: { file: { path: "a.txt", line_range: "3-4" } } }],
    ["read_file", { args: "<file><path>a.txt</path><line_range>3-4</line_range></file>" }],
    ["read_files", { files: [{ path: "a.txt", start_line: 3, end_line: 4 }] }],
  ])("are the same that %s means by %j", async (name, input) => {
    const on = Object.hasOwn(input, "offset") ? "offset 4.]" : "startLine 5.]";
    expect(await read(name, input)).toBe(third + on);
  });

  it("are read as bare text by file-reader, which counts from 1 also in what it says about the rest", async () => {
    expect(await read("file-reader", { path: "a.txt", startLine: 3, endLine: 4 })).toBe(
      "line 3\nline 4\n[Lines 3-4 of 20. Read on with startLine 5.]",
    );
    expect(await read("file-reader", { path: "a.txt", endLine: 1 })).toBe(
      "line 1\n[Lines 1-1 of 20. Read on with startLine 2.]",
    );
    expect(await read("file-reader", { path: "b.txt" })).toBe("B one\nB two");
  });

  it("past the end are an empty text for file_read", async () => {
    expect(await read("file_read", { path: "a.txt", offset: 20, limit: 5 })).toBe("");
    expect(await read("file_read", { path: "a.txt", offset: 999 })).toBe("");
  });

  it("from the first on are read by an offset of 1 and, where it is sent, of 0", async () => {
    for (const offset of [0, 1])
      expect(await read("Read", { file_path: "a.txt", offset, limit: 1 })).toContain("1\tline 1\n");
  });

  it("of several files and of several parts of one come each under the file's name", async () => {
    const files = [{ path: "a.txt", line_ranges: [[1, 1], "20-20"] }, { path: "b.txt" }];
    expect(await read("read_file", { files })).toBe(
      [
        "==> a.txt <==\n1\tline 1\n[Lines 1-1 of 20. Read on with startLine 2.]",
        "==> a.txt <==\n20\tline 20",
        "==> b.txt <==\n1\tB one\n2\tB two",
      ].join("\n"),
    );
  });

  it("are asked for once: a range beside files, or files in two ways, is invalid", async () => {
    const files = [{ path: "a.txt" }, { path: "b.txt" }];
    for (const input of [
      { files, startLine: 2 },
      { files, path: "a.txt" },
      { files: [{ path: "a.txt", startLine: 3, endLine: 1 }, { path: "b.txt" }] },
    ])
      expect(await gate.dispatch({ tool: "fs.read", input })).toMatchObject(stopped("invalid_input"));
  });
});

describe("time-outs, names and defaults", () => {
  it.each([
    ["execute_command", { command: "ls", timeout: 30 }, { timeoutMs: 30_000 }],
    ["Bash", { command: "ls", timeout: 30_000 }, { timeoutMs: 30_000 }],
    ["bash", { command: "ls", timeout: 30_000, description: "Lists." }, { timeoutMs: 30_000 }],
    ["bash", { command: "ls", timeout: 30 }, { timeoutMs: 30_000 }],
    ["shell", { command: ["ls"], timeout_ms: 30_000 }, { timeoutMs: 30_000 }],
    ["run_shell_command", { command: "ls", timeout: 30_000 }, { timeoutMs: 30_000 }],
    ["webfetch", { url: "https://example.com", timeout: 30 }, { timeoutMs: 30_000 }],
    ["run_commands", { commands: [{ command: "ls", args: ["a b"] }] }, { command: "ls 'a b'" }],
    ["write_stdin", { session_id: 7, chars: "y\n" }, { id: "7", text: "y\n" }],
    ["write_stdin", { session_id: 7 }, { id: "7", text: "" }],
    ["read_background_output", { pid: 123 }, { id: "123", cursor: 0, lines: 100 }],
    ["read_background_output", { pid: 123, lines: 5 }, { id: "123", cursor: 0, lines: 5 }],
    ["read_command_output", { artifact_id: "p-1", offset: 64, limit: 32 }, { id: "p-1", cursor: 64 }],
    ["Grep", { pattern: "x" }, { mode: "files" }],
    ["Grep", { pattern: "x", output_mode: "content" }, { mode: "content" }],
    ["grep_search", { pattern: "x" }, { ignoreCase: true }],
    ["grep_search", { pattern: "x", case_sensitive: true }, { ignoreCase: false }],
    ["editor", { path: "a", new_text: "x" }, { old_string: "", new_string: "x" }],
    ["web_fetch", { prompt: "Sum up https://example.com/a, please." }, { url: "https://example.com/a" }],
  ])("%s %j is meant as %j", async (name, input, expected) => {
    expect(await meant(name, input)).toMatchObject(expected);
  });

  it.each([
    ["fs.list", words("dir_path directory directory_path target_directory")],
    ["code.definitions", words("file_path filePath absolute_path target_file directory folder dir_path")],
  ])("of other agents for a path are known to %s: %s", async (tool, names) => {
    for (const name of names) expect(await meant(tool, { [name]: "src" })).toEqual({ path: "src" });
  });

  it("of the tool itself stay what they are under its own name", async () => {
    expect(await meant("search.grep", { pattern: "x" })).toEqual({ pattern: "x" });
    expect(await gate.tools.validateCall("shell.exec", { command: "ls", timeout: 30 })).toMatchObject({
      ok: false,
    });
  });
});

describe("rules", () => {
  it.each([
    [{ files: [{ path: "a.txt" }, { path: "closed.txt" }] }],
    [{ args: { file: [{ path: "closed.txt", line_range: "1-1" }] } }],
    [{ args: "<file><path>closed.txt</path></file>" }],
  ])("about a path hold for the file in %j", async (input) => {
    const outcome = await gate.dispatch({ tool: "read_file", input });
    expect(outcome).toMatchObject(stopped("policy_denied"));
    expect(await gate.check({ tool: "read_file", input }, { wait: false })).toMatchObject({
      verdict: "deny",
    });
  });

  it("about an address hold for the one in a prompt", async () => {
    const input = { prompt: "What does https://example.com/pull/7 say?" };
    const outcome = await gate.dispatch({ tool: "web_fetch", input });
    expect(outcome).toMatchObject(stopped("route_blocked"));
  });

  it("get a call that another agent runs as it wrote it", async () => {
    const input = { file_path: join(folder, "a.txt"), offset: 3 };
    const result = await gate.check({ tool: "Read", input });
    expect(result.input).toBeUndefined();
  });
});

describe("a shape", () => {
  it("must be for an alias of its tool", () => {
    const input = { type: "object", properties: {}, additionalProperties: false } as const;
    const least = { title: "Facts", description: "Says what is at a path.", input, run: () => "" };
    const make = () => defineBuiltin("fs.stat", { ...least, shapes: { Stat: (given) => given } });
    expect(make).toThrow('a shape is given for "Stat"');
  });

  it("goes with its tool, and comes with the one that replaces it", async () => {
    const [tool] = builtin.tools.filter(({ id }) => id === "fs.read");
    const own = await createGate({ tools: tool === undefined ? [] : [tool] });
    const call = { file_path: "a.txt", offset: 3 };
    if (tool !== undefined) own.tools.replace(tool);
    expect(await own.tools.validateCall("Read", call)).toMatchObject({ value: { offset: 2 } });
    own.tools.unregister("fs.read");
    expect(await own.tools.validateCall("Read", call)).toMatchObject({ ok: false });
    await own.close();
  });
});
