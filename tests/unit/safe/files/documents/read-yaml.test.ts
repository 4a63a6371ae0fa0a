import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../../../../src/safe/files/documents/read-yaml.ts";

function taken(text: string): unknown {
  const read = readYaml(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problem));
  return read.value;
}

/** `line:column message` */
function problemOf(text: string): string {
  const read = readYaml(text);
  return read.ok ? "no problem" : `${read.problem.line}:${read.problem.column} ${read.problem.message}`;
}

describe("readYaml", () => {
  it("reads mappings, lists, blocks and scalars of YAML 1.2", () => {
    const text = "a: [1, two, true]\nb:\n  - c: |\n      one\n      two\n  - no\n  - 2024-01-01\n  - ~\n";
    expect(taken(text)).toEqual({ a: [1, "two", true], b: [{ c: "one\ntwo\n" }, "no", "2024-01-01", null] });
  });

  it("reads everything that is JSON as JSON does", () => {
    const key = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => one !== "__proto__");
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: "binary" }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.dictionary(key, tie("json"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, "\t"), (value, indent) => {
        // Characters that a file may not hold as they are, written as escapes.
        const text = JSON.stringify(value, null, indent).replaceAll(
          /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd-\uffff]/g,
          (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        expect(taken(text)).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it("takes an empty file and a file of comments as nothing", () => {
    for (const text of ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"]) expect(taken(text)).toBe(null);
  });

  it("does not mind a byte order mark and Windows line ends", () => {
    const read = readYaml("\ufeffa: 1\r\nb:\r\n  c: 2\r\n");
    expect(read.ok && read.value).toEqual({ a: 1, b: { c: 2 } });
    expect(read.ok && read.placeOf(["b", "c"])).toEqual({ line: 3, column: 6 });
    expect(read.ok && read.placeOf(["a"], "key")).toEqual({ line: 1, column: 1 });
  });

  it("says where a value and its key stand, and for what is missing where it should be", () => {
    const read = readYaml("routes:\n  first:\n    tool: [Bash,\n      Read]\n  'second': {}\n");
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.placeOf([])).toEqual({ line: 1, column: 1 });
    expect(read.placeOf(["routes", "first"], "key")).toEqual({ line: 2, column: 3 });
    expect(read.placeOf(["routes", "first"])).toEqual({ line: 3, column: 5 });
    expect(read.placeOf(["routes", "first", "tool", 1])).toEqual({ line: 4, column: 7 });
    expect(read.placeOf(["routes", "second"], "key")).toEqual({ line: 5, column: 3 });
    expect(read.placeOf(["routes", "second", "tool"], "key")).toEqual({ line: 5, column: 3 });
  });

  it("follows aliases, and points at the alias rather than at what it stands for", () => {
    const read = readYaml("base: &base\n  x: 1\ncopy: *base\n");
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.value).toEqual({ base: { x: 1 }, copy: { x: 1 } });
    expect(read.placeOf(["copy"])).toEqual({ line: 3, column: 7 });
    expect(read.placeOf(["copy", "x"], "key")).toEqual({ line: 2, column: 3 });
  });

  it("keeps what it gives from being changed", () => {
    const value = taken("a: {b: [1]}") as { a: { b: number[] } };
    expect(() => value.a.b.push(2)).toThrow();
    expect(() => Object.assign(value, { c: 1 })).toThrow();
  });

  it("takes tags that only repeat what the text says", () => {
    expect(taken("a: !!str 12\nb: !!int 3\nc: !!map {d: !!seq []}")).toEqual({ a: "12", b: 3, c: { d: [] } });
  });
});

describe("what readYaml refuses, with its place", () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["a * without quotes", "tool: *\n", /^1:7 \* without quotes .* Put it in quotes: "\*"$/],
    ["a * in a list", "tools:\n  - Bash\n  - *\n", /^3:5 .*quotes: "\*"$/],
    ["a pattern that starts with *", "tool: *.write\n", /^1:7 .*quotes: "\*\.write"$/],
    ["an alias before its anchor", "a: *b\nb: &b 1\n", /^1:4 /],
    ["an unknown escape", 'a: 1\npattern: "\\d+"\n', /^2:11 "\\d" means nothing .*single quotes/],
    ["an unquoted regular expression in brackets", "pattern: [a-z]+ foo\n", /^1:15 .*single quotes/],
    ["text with a colon", "message: Use this: that\n", /^1:10 .*": ".*single quotes/],
    ["text that starts with a backtick", "message: `gh`\n", /^1:10 Text cannot start with `/],
    ["a quote inside single quotes", "a: 'don't'\n", /^1:9 .*write '' for a quote/],
    ["a quote that is never closed", "a: 1\nb: 'text\nc: 3\n", /^2:4 A quoted text starts here/],
    ["a list that is never closed", "a: [1, 2\n", /"\[" is not closed/],
    ["a mapping that is never closed", '{"a": {"b": 1}\n', /not closed|not valid YAML/],
    ["tabs as indentation", "a:\n\tb: 1\n", /^2:1 A tab/],
    ["a line that is indented like none above", "a:\n    b: 1\n   c: 2\n", /^3:1 .*same column/],
    ["a key without a colon", "a: 1\nb\n", /^2:1 .*":"/],
    ["a list on the line of its key", "a: - b\n", /^1:4 .*line of its own/],
    ["the same key twice", "a: 1\nb: 2\na: 3\n", /^3:1 The key "a" is already in line 1/],
    [
      "the same key twice, deep down",
      "a:\n  - {b: 1, c: 2, 'b': 3}\n",
      /^2:18 The key "b" is already in line 2/,
    ],
    ["two documents", "a: 1\n---\nb: 2\n", /^2:1 .*more than one YAML document/],
    ["an empty second document", "a: 1\n---\n", /more than one YAML document/],
    ["a merge key", "a: &a {b: 1}\nc:\n  <<: *a\n", /^3:3 Merge keys/],
    ["a number as a key", "404: x\n", /^1:1 The key 404 is not text.*"404":/],
    ["true as a key", "a:\n  true: x\n", /^2:3 The key true is not text/],
    ["a list as a key", "? [a]\n: b\n", /^1:3 A key must be text/],
    ["no key at all", ": b\n", /A key must be text/],
    ["an alias as a key", "a: &a x\n*a : 1\n", /^2:1 A key must be text/],
    ["__proto__ as a key", "a:\n  __proto__: {}\n", /^2:3 The key "__proto__" is not accepted/],
    ["a tag of another language", "a: !!js/function 'x'\n", /^1:\d+ The tag !!js\/function is not accepted/],
    ["a tag of its own", "pattern: !important\n", /The tag !important is not accepted.*single quotes/],
    ["binary data", "a: !!binary aGk=\n", /The tag !!binary/],
    ["a set", "a: !!set {b}\n", /The tag !!set/],
    ["a tag on a key", "!!binary a: 1\n", /tag/],
    ["another version of YAML", "%YAML 1.1\n---\na: yes\n", /^1:1 The directive "%YAML 1\.1"/],
    ["a tag directive", "%TAG ! tag:x,1:\n---\na: 1\n", /^1:1 The directive/],
    ["infinity", "a: .inf\n", /^1:4 Infinity/],
    ["a number too large to be one", "a: 1e999\n", /^1:4 Infinity/],
    ["something that contains itself", "a: &a [*a]\n", /^1:8 \*a would contain itself/],
    ["a NUL byte", "a: 1\nb: \0\n", /^2:4 .*NUL/],
    ["a control character", "a: \x1b[2J\n", /^1:4 .*\\u\{1B\}/],
    ["a carriage return that ends no line", "a: 1\n# safe\rb: 2\n", /^2:7 .*carriage return/],
    ["a mark that turns the direction of text", "a: 1 # \u202e\n", /^1:8 .*\\u\{202E\}/],
    ["a line separator", "# a\u2028routes: {}\n", /^1:4 .*\\u\{2028\}/],
    ["what is left of broken UTF-8", "a: caf\ufffd\n", /^1:7 .*UTF-8/],
    ["half a character", "a: \ud83d\n", /^1:4 /],
  ];

  it.each(cases)("%s", (_, text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });

  it("does not refuse what only looks like it", () => {
    const odd = 'a: "\\u202e"\nb: \'<<\'\n"<<": 1\nconstructor: 2\nprototype: 3\n';
    expect(taken(odd)).toEqual({ a: "\u202e", b: "<<", "<<": 1, constructor: 2, prototype: 3 });
    const texts = { a: "mcp__*", b: "mcp__*", c: "\u{1f600}" };
    expect(taken("a: 'mcp__*'\nb: mcp__*\nc: \u{1f600}\n")).toEqual(texts);
    expect(taken("%YAML 1.2\n---\na: yes\n")).toEqual({ a: "yes" });
  });

  it("takes a smaller limit from its caller", () => {
    const text = `a: ${"x".repeat(100)}\n`;
    expect(readYaml(text, { maxBytes: 200 }).ok).toBe(true);
    expect(readYaml(text, { maxBytes: 50 })).toMatchObject({ ok: false, problem: { line: 1, column: 1 } });
    expect(readYaml("a: [[1]]", { maxDepth: 3 }).ok).toBe(true);
    expect(readYaml("a: [[1]]", { maxDepth: 2 })).toMatchObject({ problem: { line: 1, column: 5 } });
    expect(readYaml("[1, 2, 3]", { maxValues: 4 }).ok).toBe(true);
    expect(readYaml("[1, 2, 3]", { maxValues: 3 })).toMatchObject({ problem: { line: 1, column: 8 } });
    expect(readYaml("é".repeat(30), { maxBytes: 50 }).ok).toBe(false);
  });

  it("answers for every text with a value or one problem inside the file", () => {
    const signs = "abc:-[]{}#&*!|>'\"%@`,?\\ \t\n~<.0".split("");
    const piece = fc.constantFrom(...signs, "\r\n", ": ", "- ", "&a ", "*a ", "<<: ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        const read = readYaml(text);
        if (read.ok) return;
        const { line, column, message } = read.problem;
        const lines = text.split("\n");
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
        expect(message).toMatch(/^[^\n]+$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
