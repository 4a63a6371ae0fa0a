import { describe, expect, it } from "vitest";
import type { FileDefinitions } from "../../../../../src/sources/builtin/code/definitions/define-files.ts";
import { languages } from "../../../../../src/sources/builtin/code/definitions/languages.ts";
import { createDefinitions } from "../../../../../src/sources/builtin/code/definitions.ts";
import { stopped } from "../../stopped.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";
import { samples } from "./samples.ts";

const { tool: definitions } = createDefinitions();
const filesOf = (data: Record<string, unknown>) => data.files as readonly FileDefinitions[];
const outline = (file: FileDefinitions | undefined) =>
  file?.definitions.map(({ depth, kind, name }) => `${"- ".repeat(depth)}${kind} ${name}`);

describeRefusals(definitions, (path) => ({ path }), {
  files: { "dir/a.ts": "export function f() {}\n" },
  path: "dir/a.ts",
});

describe("code.definitions", () => {
  it.each(samples)("finds what $file defines, and nothing that is local to a function", async (sample) => {
    const { data } = await readingGate(definitions, { [sample.file]: sample.text });
    const [file] = filesOf(await data({ path: sample.file }));
    expect(outline(file)).toEqual(sample.expected);
    expect(file?.hasErrors).toBe(false);
  });

  it("has a sample of every language", () => {
    const extensions = samples.map(({ file }) => file.split(".")[1] ?? "");
    for (const { name, extensions: own } of languages)
      expect(
        own.some((one) => extensions.includes(one)),
        name,
      ).toBe(true);
  });

  it("gives lines and the first line of each signature, also below annotations and over several lines", async () => {
    const text = `@Injectable()
export class Service<T> extends Base
{
  @Get("/x")
  async find(
    id: string,
  ): Promise<T> {
    return id;
  }

  one() {} two() { return 2; }
}
`;
    const { text: answer, data } = await readingGate(definitions, { "src/service.ts": text });
    expect(await answer({ path: "src/service.ts" })).toBe(
      [
        "src/service.ts",
        "  2-12  export class Service<T> extends Base",
        "    5-9  async find(",
        "    11-11  one() {}",
        "    11-11  two() { return 2; }",
      ].join("\n"),
    );
    expect(filesOf(await data({ path: "src/service.ts" }))[0]?.definitions[1]).toEqual({
      name: "find",
      kind: "method",
      line: 5,
      endLine: 9,
      signature: "async find(",
      depth: 1,
    });
  });

  it("finds what can be found in broken code, and says that it is broken", async () => {
    const broken = "export function good() { return 1; }\nclass { { ( [ 1 +\nfunction after() {}\n";
    const { text } = await readingGate(definitions, { "a.ts": broken });
    const answer = await text({ path: "a.ts" });
    expect(answer).toContain("1-1  export function good() { return 1; }");
    expect(answer).toContain("[It has syntax errors; definitions may be missing.]");
  });

  it("walks a folder without what .gitignore leaves out, in the order of paths", async () => {
    const { data, text } = await readingGate(definitions, {
      ".gitignore": "dist/\n",
      "dist/out.js": "function out() {}\n",
      "node/x.min.js": "function min() {}\n",
      "b.py": "def b(): pass\n",
      "a/deep/a.go": "package a\nfunc A() {}\n",
      "a/README.md": "# nothing\n",
      "c.ts": "export {};\n",
    });
    expect(filesOf(await data({})).map(({ path, language }) => [path, language])).toEqual([
      ["a/deep/a.go", "Go"],
      ["b.py", "Python"],
    ]);
    expect(filesOf(await data({ folder: "a" })).map(({ path }) => path)).toEqual(["a/deep/a.go"]);
    expect(await text({ path: "node" })).toContain("[No definitions were found.");
  });

  it("takes several paths, and reports those that fail beside those that do not", async () => {
    const { data, text, failure, code } = await readingGate(definitions, {
      "a.ts": "function a() {}\n",
      "b.xyz": "?",
    });
    const paths = ["a.ts", "b.xyz", "missing.ts"];
    const answer = await data({ paths });
    expect(filesOf(answer).map(({ path }) => path)).toEqual(["a.ts"]);
    expect(answer.problems).toMatchObject([{ code: "unknown_language" }, { code: "not_found" }]);
    expect(await text({ paths })).toContain(
      "[The language of b.xyz is not known here. Known: TypeScript (.ts",
    );
    expect(await code({ paths: ["b.xyz", "missing.ts"] })).toBe("unknown_language");
    expect((await failure({ path: "a.ts", paths: ["a.ts"] })).message).toContain("either path or paths");
  });

  it("cuts long answers and says how to go on", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `function f${index}() {}`).join("\n");
    const { data, text } = await readingGate(definitions, { "a.ts": many, "b.ts": many });
    const answer = await data({ limit: 10 });
    expect(filesOf(answer).flatMap((file) => file.definitions)).toHaveLength(10);
    expect(answer.truncated).toBe(true);
    expect(await text({ limit: 10 })).toContain("[There is more. Name a folder below");
    expect((await data({ limit: 60 })).truncated).toBe(false);
  });

  it("reads files with a byte order mark, Windows line ends and UTF-16", async () => {
    const code = "export class A {\r\n  m() {}\r\n}\r\n";
    const { data } = await readingGate(definitions, {
      "bom.ts": `\ufeff${code}`,
      "wide.ts": Buffer.from(`\ufeff${code}`, "utf16le"),
    });
    for (const path of ["bom.ts", "wide.ts"]) {
      const [file] = filesOf(await data({ path }));
      expect(file?.definitions.map(({ signature }) => signature)).toEqual(["export class A", "m() {}"]);
    }
  });

  it("refuses what is too large, what is no text and what may not be read", async () => {
    const { failure } = await readingGate(definitions, {
      "big.ts": "// filler\n".repeat(110_000),
      "binary.ts": Buffer.from([1, 0, 2]),
      "notes.txt": "x",
      noname: "hello",
    });
    expect(await failure({ path: "big.ts" })).toMatchObject({ code: "too_large" });
    expect(await failure({ path: "binary.ts" })).toMatchObject({ code: "not_text" });
    expect(await failure({ path: "notes.txt" })).toMatchObject({ code: "unknown_language" });
    expect(await failure({ path: "noname" })).toMatchObject({ code: "unknown_language" });
  });

  it("survives a file that is made to break the parser, and works on", async () => {
    const { failure, data } = await readingGate(definitions, {
      "bomb.java": "a<".repeat(500_000),
      "fine.java": "class Fine {}\n",
    });
    expect((await failure({ path: "bomb.java" })).message).toContain("could not be parsed");
    expect(outline(filesOf(await data({ path: "fine.java" }))[0])).toEqual(["class Fine"]);
  });

  it("answers the question of a language server for the symbols of a file, and no other", async () => {
    const { gate, failure } = await readingGate(definitions, { "a.ts": "function a() {}\n" });
    const place = { filePath: "a.ts", line: 1, character: 1 };
    const input = { operation: "documentSymbol", ...place };
    expect(await gate.dispatch({ tool: "LSP", input })).toMatchObject({ ok: true, tool: "code.definitions" });
    expect((await failure({ operation: "findReferences", ...place })).message).toContain("documentSymbol");
  });

  it("stops when the call is cancelled", async () => {
    const { call } = await readingGate(definitions, { "a.ts": "function a() {}\n" });
    const outcome = await call({ path: "a.ts" }, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject(stopped("cancelled"));
  });
});
