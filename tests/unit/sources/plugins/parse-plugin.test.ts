import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import type { JsonSchema } from "../../../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";
import { parsePlugin } from "../../../../src/sources/plugins/parse-plugin.ts";
import { describePluginError } from "../../../../src/sources/plugins/plugin-error.ts";
import { pluginSchema } from "../../../../src/sources/plugins/plugin-format.ts";
import { shellTool } from "./plugin-world.ts";

/** Every error as one line, without the file. */
function errorsOf(text: string, file = "x.json"): string[] {
  return parsePlugin(text, file).errors.map((error) => describePluginError(error).slice(file.length + 1));
}

const yaml = `# editors
$schema: ./plugin.schema.json
name: demo
version: 1.0.0
env: [TOKEN]
tools:
  - name: greet
    description: Greets.
    inputSchema:
      properties: {name: {type: string}}
    handler: {type: shell, command: 'echo {{name}}'}
    tests:
      - input: {name: you}
        expect: you
`;

describe("the published schema of plugin files", () => {
  it("is what files are checked against (else run: node scripts/write-schema.mjs)", () => {
    const file = new URL("../../../../schemas/plugin.schema.json", import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(pluginSchema);
  });

  it("takes and refuses the same handlers as our own check", () => {
    const compiled = compileJsonSchema(pluginSchema as unknown as JsonSchema);
    if (!compiled.ok) throw new Error(compiled.message);
    for (const handler of [
      { type: "shell", command: "ls" },
      { type: "shell", command: "ls", allowDash: ["x"] },
      { type: "shell", url: "https://x" },
      { type: "http", url: "https://x", headers: { a: "b" } },
      { type: "http", url: "https://x", headers: { a: 1 } },
      { type: "file-read", basePath: "." },
      { type: "file-read", basePath: ".", maxSize: 0 },
      { type: "ftp" },
      {},
      "ls",
    ]) {
      const file = { name: "x", tools: [shellTool("x", "x", { handler })] } as Json;
      expect(errorsOf(JSON.stringify(file)).length === 0, JSON.stringify(handler)).toBe(
        compiled.validate(file).ok,
      );
    }
  });
});

describe("parsing a plugin file", () => {
  it("reads YAML and JSON alike", () => {
    const parsed = parsePlugin(yaml, "x.yaml");
    expect(parsed.errors).toEqual([]);
    const { $schema, ...head } = parsed.head as { $schema?: string };
    expect(head).toEqual({ name: "demo", version: "1.0.0", env: ["TOKEN"] });
    const definitions = parsed.tools.map(({ definition }) => definition);
    const json = parsePlugin(JSON.stringify({ $schema, ...head, tools: definitions }), "x.json");
    expect(json.tools.map(({ definition }) => definition)).toEqual(definitions);
  });

  it("knows the place of every part of a tool", () => {
    const [tool] = parsePlugin(yaml, "x.yaml").tools;
    expect(tool?.placeOf(["handler", "command"])).toEqual({ line: 11, column: 37 });
    expect(tool?.placeOf(["tests", 0, "expect"], "key")).toEqual({ line: 14, column: 9 });
  });

  it("says where a file stops being JSON or YAML", () => {
    expect(errorsOf('{\n  "name": "x",\n}')).toEqual([
      '3:1: The file is not valid JSON: nothing follows the last ","; remove it.',
    ]);
    expect(errorsOf("name: x\n\ttools: []\n", "x.yaml")[0]).toMatch(/^2:1: .*tab/i);
    expect(errorsOf("# nothing\n", "x.yml")).toEqual(["1:1: The file is empty."]);
  });

  it("refuses a file whose head is wrong, with every mistake of it", () => {
    expect(errorsOf('{\n "nam": "x",\n "tools": {},\n "version": 1\n}')).toEqual([
      '2:2: nam: unknown key; did you mean "name"?',
      "3:11: tools: expected a list, received a mapping.",
      "4:13: version: expected text, received the number 1; put it in quotes.",
    ]);
    expect(errorsOf("[]")).toEqual([
      '1:1: expected a mapping (key: value), received a list; give each entry a name of its own instead of "- ".',
    ]);
  });

  it("takes a file with unknown keys in its head, and warns of each; one that stands for a missing key is an error", () => {
    const tools = JSON.stringify([shellTool("good")]);
    const parsed = parsePlugin(
      `{"name": "x",\n "author": "me",\n "allowprivate": true,\n "tools": ${tools}}`,
      "x.json",
    );
    expect(parsed.errors).toEqual([]);
    expect(parsed.tools).toHaveLength(1);
    expect(parsed.head?.allowPrivate).toBeUndefined();
    expect(parsed.warnings.map((warning) => describePluginError(warning))).toEqual([
      expect.stringMatching(/^x\.json:2:2: author: unknown key/),
      'x.json:3:2: allowprivate: unknown key; did you mean "allowPrivate"?',
    ]);
    expect(errorsOf(`{"nam": "x",\n "tools": ${tools}}`)).toEqual([
      '1:2: nam: unknown key; did you mean "name"?',
    ]);
  });

  it("keeps the tools that are right beside those that are wrong, and names tool, field and line", () => {
    const tools = [
      shellTool("good"),
      shellTool("bad name!"),
      shellTool("odd", "x", { handler: { type: "shel", command: "ls" } }),
      shellTool("typo", "x", { timeoutMS: 5, permission: "root" }),
      { name: "bare" },
      "nonsense",
      shellTool("empty-test", "x", { tests: [{ input: {} }] }),
      shellTool("two-ends", "x", { tests: [{ input: {}, expect: "a", error: "b" }] }),
    ];
    const lines = tools.map((tool) => JSON.stringify(tool));
    const parsed = parsePlugin(`{"name": "x", "tools": [\n${lines.join(",\n")}]}`, "x.json");
    /** Line and column of a text in the line of the tool of this number. */
    const at = (index: number, text: string) =>
      `x.json:${index + 2}:${(lines[index] ?? "").indexOf(text) + 1}`;
    expect(parsed.tools.map(({ definition }) => definition.name)).toEqual(["good"]);
    expect(parsed.errors.map((error) => describePluginError(error))).toEqual([
      `${at(1, '"bad name!"')}: tool "bad name!": name: "bad name!" is not a tool's name: it may hold letters, digits, "_" and "-", and nothing else.`,
      `${at(2, '"shel"')}: tool "odd": handler.type: expected one of shell, http, file-read, received "shel"; did you mean shell?`,
      `${at(3, '"timeoutMS"')}: tool "typo": timeoutMS: unknown key; did you mean "timeoutMs"?`,
      `${at(3, '"root"')}: tool "typo": permission: expected one of read, write, execute, received "root".`,
      `${at(4, "{")}: tool "bare": needs description, inputSchema and handler.`,
      `${at(5, '"')}: tool "#6": expected a mapping (key: value), received "nonsense".`,
      `${at(6, '{"input"')}: tool "empty-test": tests[0]: needs expect, contains or error: what must come of the call.`,
      `${at(7, '{"input"')}: tool "two-ends": tests[0]: asks for an answer and for an error; keep one.`,
    ]);
  });
});
