import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { type AnyTool, createGate, type GateOptions } from "../../../../../src/index.ts";
import { createCodeTools } from "../../../../../src/sources/builtin/code/code-tools.ts";
import type { Diagnostic } from "../../../../../src/sources/builtin/code/diagnostics/diagnostic.ts";
import type { CodeOptions } from "../../../../../src/sources/builtin/code/diagnostics/options.ts";
import { rule } from "../../rule.ts";
import { stopped } from "../../stopped.ts";
import { readingGate } from "../reading-gate.ts";

const open: GateOptions = { enable: { enableAll: true }, policies: [rule("approve", "code.diagnostics")] };

function diagnosticsTool(options: CodeOptions = {}): AnyTool {
  return createCodeTools(options).tools.find(({ id }) => id === "code.diagnostics") as AnyTool;
}

/** A compiler that prints what a file beside its configuration says, as tsc would. */
const fakeTsc = `
const { existsSync, readFileSync } = require("node:fs");
if (existsSync("print.txt")) process.stdout.write(readFileSync("print.txt", "utf8"));
if (existsSync("loop")) for (;;);
process.exitCode = existsSync("code") ? Number(readFileSync("code", "utf8")) : 0;
`;
const project = {
  "node_modules/typescript/bin/tsc": fakeTsc,
  "tsconfig.json": "{}",
  "src/a.ts": "export {};\n",
};
const gateFor = (files: Readonly<Record<string, string>>, options: CodeOptions = {}, gate = open) =>
  readingGate(diagnosticsTool(options), files, gate);
const found = (data: Record<string, unknown>) => data.diagnostics as readonly Diagnostic[];

describe("code.diagnostics is refused", () => {
  it("by default: it runs code of the workspace, and the category code only reads", async () => {
    const { failure } = await gateFor(project, {}, {});
    expect(await failure({})).toMatchObject({ code: "above_ceiling" });
  });

  it("for paths outside of the workspace that no rule names", async () => {
    const { code, outside } = await gateFor(project, {}, open);
    for (const path of ["..", outside, "link-out.txt", "folder-out"])
      expect(await code({ path }), path).toBe("no_approver");
  });

  it("for input that does not fit", async () => {
    const { code } = await gateFor(project);
    for (const input of [{ path: "" }, { paths: [] }, { surprise: 1 }, { path: "src", paths: ["src"] }])
      expect(await code(input)).toBe("invalid_input");
  });
});

describe("code.diagnostics with TypeScript", () => {
  it("reports what the compiler of the project found, with places and codes, in order", async () => {
    const printed = [
      "src/b.ts(3,1): warning TS6133: 'x' is declared but never used.",
      "src/a.ts(2,7): error TS2322: Type 'number' is not assignable to type 'string'.",
      "  The expected type comes from property 'a'.",
      "error TS18003: No inputs were found.",
      "noise",
    ].join("\n");
    const { text, data } = await gateFor({ ...project, "print.txt": printed, code: "2" });
    expect(await text({})).toBe(
      [
        "(project) error No inputs were found. (TS18003)",
        "src/a.ts:2:7 error Type 'number' is not assignable to type 'string'.",
        "    The expected type comes from property 'a'. (TS2322)",
        "src/b.ts:3:1 warning 'x' is declared but never used. (TS6133)",
        "[2 errors, 1 warning in 3 files, by tsc -p tsconfig.json.]",
      ].join("\n"),
    );
    expect(found(await data({}))[2]).toEqual({
      file: "src/b.ts",
      line: 3,
      column: 1,
      severity: "warning",
      message: "'x' is declared but never used.",
      code: "TS6133",
    });
  });

  it("says so when there is nothing to report, and leaves out what was not asked for", async () => {
    const printed = "src/a.ts(1,1): error TS1: a\nother/b.ts(1,1): error TS1: b\n";
    const { text, write, data } = await gateFor(project);
    expect(await text({})).toBe("[No problems found by tsc -p tsconfig.json.]");
    write("print.txt", printed);
    write("other/b.ts", "");
    expect(found(await data({ path: "src" })).map(({ file }) => file)).toEqual(["src/a.ts"]);
    expect(found(await data({ paths: ["other/b.ts"] })).map(({ file }) => file)).toEqual(["other/b.ts"]);
    expect(found(await data({ file_path: "src/a.ts" }))).toHaveLength(1);
  });

  it("uses the nearest configuration of each path, and the compiler above it", async () => {
    const { data, text } = await gateFor({
      "node_modules/typescript/bin/tsc": fakeTsc,
      "one/tsconfig.json": "{}",
      "one/print.txt": "x.ts(1,1): error TS1: one",
      "two/tsconfig.json": "{}",
      "two/print.txt": "x.ts(1,1): error TS1: two",
      "two/deep/x.ts": "",
      "two/node_modules/typescript/bin/tsc": fakeTsc.replace("print.txt", "other.txt"),
      "two/other.txt": "",
    });
    expect((await data({ paths: ["one", "two/deep/x.ts"] })).checkers).toEqual([
      "tsc -p one/tsconfig.json",
      "tsc -p two/tsconfig.json",
    ]);
    expect(found(await data({ path: "one" })).map(({ file }) => file)).toEqual(["one/x.ts"]);
    expect(await text({ path: "one" })).toContain("one/x.ts:1:1 error one (TS1)");
  });

  it("follows a configuration that only refers to others, with comments and commas too many", async () => {
    const { data } = await gateFor({
      "node_modules/typescript/bin/tsc": fakeTsc,
      "tsconfig.json":
        '{ // "solution"\n "files": [], /* x */ "references": [{ "path": "./app" }, { "path": "./tsconfig.node.json" }, { "path": "../outside" },], }',
      "app/tsconfig.json": "{}",
      "tsconfig.node.json": "{}",
    });
    expect((await data({})).checkers).toEqual(["tsc -p app/tsconfig.json", "tsc -p tsconfig.node.json"]);
  });

  it("says what is missing: a configuration, or TypeScript itself", async () => {
    const bare = await gateFor({ "a.ts": "" });
    expect(await bare.failure({})).toMatchObject({ code: "no_checker" });
    expect((await bare.failure({})).message).toContain("there is no tsconfig.json above it");
    const without = await gateFor({ "tsconfig.json": "{}" });
    expect((await without.failure({})).message).toContain("there is no node_modules/typescript beside it");
  });

  it("does not run a compiler that lies outside of the workspace", async () => {
    const { failure, root, outside } = await gateFor({ "tsconfig.json": "{}" });
    mkdirSync(join(outside, "typescript/bin"), { recursive: true });
    writeFileSync(join(outside, "typescript/bin/tsc"), fakeTsc);
    mkdirSync(join(root, "node_modules"));
    symlinkSync(join(outside, "typescript"), join(root, "node_modules/typescript"));
    expect((await failure({})).message).toContain("there is no node_modules/typescript");
  });

  it("reports a compiler that breaks with what it said, hidden characters shown", async () => {
    const { failure } = await gateFor({ ...project, "print.txt": "Cannot find \u202emodule\n", code: "1" });
    const { code, message } = await failure({});
    expect(code).toBe("checker_failed");
    expect(message).toContain("tsc -p tsconfig.json ended with code 1");
    expect(message).toContain("Cannot find \\u{202E}module");
  });

  it("stops a compiler that takes too long, and one whose call is cancelled", async () => {
    const slow = await gateFor({ ...project, loop: "" }, { timeoutMs: 300 });
    expect(await slow.failure({})).toMatchObject({ code: "timed_out" });
    const { call } = await gateFor({ ...project, loop: "" });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect(await call({}, { signal: controller.signal })).toMatchObject(stopped("cancelled"));
  });

  it("cuts long lists and says how to see the rest", async () => {
    const printed = Array.from({ length: 30 }, (_, i) => `src/a.ts(${i + 1},1): error TS1: e${i}`).join("\n");
    const { data, text } = await gateFor({ ...project, "print.txt": printed });
    expect(await data({ limit: 10 })).toMatchObject({ total: 30, truncated: true });
    expect(await text({ limit: 10 })).toContain("[Only the first 10 are shown; name a path");
  });

  it.skipIf(process.platform !== "linux" || !existsSync("/usr/bin/bwrap"))(
    "lets the compiler write nothing where there is a sandbox",
    async () => {
      const writer = `require("node:fs").writeFileSync("written.txt", "x"); ${fakeTsc}`;
      const files = { ...project, "node_modules/typescript/bin/tsc": writer };
      const { failure, root } = await gateFor(files, { sandbox: "required" });
      expect((await failure({})).message).toContain("EROFS");
      expect(readdirSync(root)).not.toContain("written.txt");
    },
  );

  it("checks a project with the TypeScript that this repository has", async () => {
    const repository = join(dirname(fileURLToPath(import.meta.url)), "../../../../..");
    const folder = mkdtempSync(join(repository, "node_modules/.toolgate-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const config = { compilerOptions: { strict: true, composite: true, types: [] }, files: ["a.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(folder, "a.ts"), "export const fine = 1;\nexport const wrong: string = fine;\n");
    const gate = await createGate({ tools: [diagnosticsTool()], roots: [repository], ...open });
    onTestFinished(() => gate.close());
    const outcome = await gate.dispatch({ tool: "code.diagnostics", input: { path: folder } });
    const text = outcome.ok ? textOf(outcome.result) : outcome.error.message;
    expect(text).toContain("a.ts:2:14 error Type 'number' is not assignable to type 'string'. (TS2322)");
    expect(readdirSync(folder).sort()).toEqual(["a.ts", "tsconfig.json"]);
  });
});

describe("code.diagnostics with a configured command", () => {
  const print = (text: string, code = 0) => [
    process.execPath,
    "-e",
    `process.stdout.write(${JSON.stringify(text)}); process.exitCode = ${code}`,
  ];
  const py = { "a.py": "", "b.rb": "", "sub/c.py": "" };

  it("reads the lines of compilers", async () => {
    const output = [
      "a.py:3:5: error: bad thing [code]",
      "sub/c.py:7: warning: so so",
      "sub/c.py:8:1: E501 line too long",
      "a.py:9:1: note: see here",
      "Found 3 problems",
      "12:30:01 done",
    ].join("\n");
    const { data } = await gateFor(py, {
      diagnostics: [{ glob: "*.py", command: print(output, 1), parse: "gcc" }],
    });
    expect(found(await data({}))).toEqual([
      { file: "a.py", line: 3, column: 5, severity: "error", message: "bad thing [code]" },
      { file: "a.py", line: 9, column: 1, severity: "info", message: "see here" },
      { file: "sub/c.py", line: 7, severity: "warning", message: "so so" },
      { file: "sub/c.py", line: 8, column: 1, severity: "error", message: "E501 line too long" },
    ]);
  });

  it("reads the JSON of eslint", async () => {
    const script = 'process.stdout.write(require("fs").readFileSync("out.json", "utf8"))';
    const eslint = { glob: "*.py", command: [process.execPath, "-e", script], parse: "eslint-json" } as const;
    const { root, write, data, failure } = await gateFor(py, { diagnostics: [eslint] });
    const messages = [
      { line: 1, column: 2, severity: 2, message: "no", ruleId: "r" },
      { line: 2, column: 1, severity: 1, message: "hm", ruleId: null },
    ];
    write("out.json", JSON.stringify([{ filePath: join(root, "a.py"), messages }]));
    expect(found(await data({}))).toEqual([
      { file: "a.py", line: 1, column: 2, severity: "error", message: "no", code: "r" },
      { file: "a.py", line: 2, column: 1, severity: "warning", message: "hm" },
    ]);
    write("out.json", "Oops, no config");
    expect((await failure({})).message).toContain("Oops, no config");
  });

  it("reads lines by a pattern", async () => {
    const parse = /^(?<severity>\w+)\[(?<code>\w+)\] (?<file>\S+)@(?<line>\d+) (?<message>.*)$/g;
    const output = "warn[W1] a.py@4 careful\nnothing\nerror[E2] a.py@2 wrong\n";
    const { data } = await gateFor(py, { diagnostics: [{ glob: "*.py", command: print(output), parse }] });
    expect(found(await data({}))).toEqual([
      { file: "a.py", line: 2, severity: "error", message: "wrong", code: "E2" },
      { file: "a.py", line: 4, severity: "warning", message: "careful", code: "W1" },
    ]);
  });

  it("hands over the paths that were asked for, none of which can pass for an option", async () => {
    const script = '"a.py:1: error: " + process.argv.slice(1).join(" ")';
    const command = [process.execPath, "-p", script, "--", "{paths}"];
    const options: CodeOptions = { diagnostics: [{ glob: "*.py", command, parse: "gcc" }] };
    const { text } = await gateFor({ ...py, "-x.py": "" }, options);
    expect(await text({ paths: ["a.py", "-x.py"] })).toContain("a.py:1 error ./a.py ./-x.py");
    expect(await text({})).toContain("a.py:1 error .");
  });

  it("is not run for files that its glob does not name", async () => {
    const { failure } = await gateFor(py, {
      diagnostics: [{ glob: "*.py", command: print("a.py:1: error: x"), parse: "gcc" }],
    });
    expect((await failure({ path: "b.rb" })).message).toContain("The configured checkers are for *.py");
  });

  it("reports a program that is not there beside one that is", async () => {
    const both = await gateFor(
      { ...project, ...py },
      { diagnostics: [{ glob: "*.py", command: ["no-such-checker"], parse: "gcc" }] },
    );
    const text = await both.text({});
    expect(text).toContain("[No problems found by no-such-checker, tsc -p tsconfig.json.]");
    expect(text).toContain('[Command not found: "no-such-checker".');
    expect((await both.failure({ path: "a.py" })).message).toContain("Command not found");
  });

  it.each([
    [{ diagnostics: [{ glob: "", command: ["x"], parse: "gcc" }] }, "diagnostics[0]"],
    [{ diagnostics: [{ glob: "*", command: [], parse: "gcc" }] }, "command must be a list"],
    [{ diagnostics: [{ glob: "*", command: ["x"], parse: "msvc" }] }, 'parse is "gcc"'],
    [{ diagnostics: [{ glob: "*", command: ["x"], parse: /x/ }] }, "(?<message>"],
    [{ sandbox: "on" }, "sandbox is"],
    [{ timeoutMs: 0 }, "timeoutMs must be"],
    [{ diagnostic: [] }, 'no option "diagnostic"'],
  ])("refuses options that are wrong: %j", (options, message) => {
    expect(() => createCodeTools(options as unknown as CodeOptions)).toThrow(message);
  });
});
