/** Configuration files made to exhaust the reader, to hide a rule, or to be read as another than the one that was reviewed. */

import { describe, expect, test } from "vitest";
import { convertRoutes } from "../../src/config/convert/convert-routes.ts";
import { createGate } from "../../src/gate/create-gate.ts";
import { readYaml } from "../../src/safe/files/documents/read-yaml.ts";
import { parsedFile, problemsIn } from "../unit/config/world.ts";

const mebibyte = 1024 * 1024;

/** As much of a piece as a file may hold. */
function full(piece: string, bytes = mebibyte): string {
  return piece.repeat(Math.floor(bytes / piece.length));
}

const problems = (text: string) => problemsIn(text, "f.yaml");

function bomb(levels: number, width: number): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= levels; level++) {
    const aliases = Array(width).fill(`*a${level - 1}`);
    lines.push(`a${level}: &a${level} [${aliases.join(", ")}]`);
  }
  return lines.join("\n");
}

describe("a bomb of aliases", () => {
  test("that multiplies at every level is refused where it becomes too much", () => {
    expect(problems(bomb(9, 10))).toEqual([
      expect.stringMatching(/^f\.yaml:\d+:\d+: Aliases \(\*name\) repeat so much/),
    ]);
    expect(problems(bomb(60, 2))).toEqual([expect.stringMatching(/Aliases|nested deeper/)]);
  });

  test("that repeats one large list many times is refused", () => {
    const text = `a: &a [${full("1, ", 30_000)}]\nb: [${full("*a, ", 20_000)}]\n`;
    expect(problems(text)).toEqual([expect.stringMatching(/^f\.yaml:2:\d+: Aliases/)]);
  });

  test("that repeats one large text many times is refused, though it is few values", () => {
    const text = `a: &a ${"x".repeat(500_000)}\nb: [${Array(1_000).fill("*a").join(", ")}]\n`;
    expect(problems(text)).toEqual([expect.stringMatching(/^f\.yaml:2:\d+: Aliases/)]);
  });

  test("that goes deeper with every alias is refused", () => {
    const lines = ["a0: &a0 [x]"];
    for (let level = 1; level <= 100; level++) lines.push(`a${level}: &a${level} [*a${level - 1}]`);
    expect(problems(lines.join("\n"))).toEqual([expect.stringMatching(/nested deeper than 64 levels/)]);
  });

  test("that defines an anchor again and again costs nothing", () => {
    const text = `a: [${full("&a 1, *a, ", 100_000)}]\n`;
    expect(problems(text)).toEqual([expect.stringMatching(/unknown key/)]);
  });
});

describe("a file that is too much", () => {
  test("is refused by its size before it is read", () => {
    const told = "f.yaml:1:1: The file is larger than 1048576 bytes; split it into several files.";
    for (const piece of ["routes: {}\n", "[", "\0"])
      expect(problems(full(piece, 10 * mebibyte))).toEqual([told]);
    const json = convertRoutes("{".repeat(10 * mebibyte), "f.json");
    expect(json).toMatchObject({ ok: false, problems: [{ line: 1 }] });
  });

  test.each([
    ["lists in lists", "["],
    ["mappings in mappings", '{"a":'],
    ["lists in lists, one line each", "- "],
    ["keys without end", "a: "],
    ["questions without end", "? "],
  ])("%s are refused by their depth", (_, piece) => {
    expect(problems(full(piece))).toEqual([
      expect.stringMatching(/^f\.yaml:1:\d+: The file is nested deeper than 64 levels/),
    ]);
  });

  test("with the same key a hundred thousand times, or thousands of different ones, gets one answer", () => {
    expect(problems(full("a:\n", 400_000))).toEqual([
      expect.stringMatching(/^f\.yaml:1:1: a: unknown key/),
      expect.stringMatching(/^f\.yaml:2:1: The key "a" is already in line 1;/),
    ]);
    const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join("\n");
    const found = problems(keys);
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe("f.yaml: There may be more problems; mend these first.");
    const flow = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(",")}}`;
    expect(problems(flow)).toHaveLength(51);
  });

  test.each([
    ...["- 1\n", "[]\n", ",", "]", "}", "''", '""\n', "&a\n", "*a\n", "!a\n", "%a\n", "---\n", "...\n"],
    ...["# x\n"],
    ...[" #\n", "\t\n", "\n", " \n", ": \n", "?\n", "<<: 1\n", "'x", '"\\x', "|\n x\n", "a: - "],
    ...["{a: b}, ", "@ ", "`"],
  ])("of nothing but %j ends with a value or with one problem", (piece) => {
    for (const head of ["", "a: [", "a: {", "a: '", 'a: "', "a: |\n"]) {
      const read = readYaml(`${head}${full(piece, 4_000)}`);
      if (!read.ok) expect(read.problem.message).toMatch(/^[^\n]{5,400}$/);
    }
  });

  test("with one text of a mebibyte is read, or refused in JSON that does not end", () => {
    const long = "x".repeat(mebibyte - 100);
    expect(readYaml(`a: '${long}'`)).toMatchObject({ ok: true });
    expect(readYaml(`a: |\n  ${long}`)).toMatchObject({ ok: true });
    const json = convertRoutes(`{"a": "${long}`, "f.json");
    expect(json).toMatchObject({ ok: false, problems: [{ line: 1, column: 7 }] });
  });
});

describe("a file that hides something", () => {
  test("cannot put the same key twice, however it is written", () => {
    const rule = (key: string) => `  ${key}: {tool: Bash, pattern: x, message: m}\n`;
    const already = [expect.stringMatching(/key "deny" is already in line 2/)];
    for (const second of ["deny", "'deny'", '"deny"', '"d\\u0065ny"', "? deny\n ", "!!str deny"])
      expect(problems(`routes:\n${rule("deny")}${rule(second)}`), second).toEqual(already);
    const twice = '{"routes": {"a": {"tool": "Bash", "pattern": "x", "message": "m", "pattern": "never"}}}';
    expect(problems(twice)).toEqual([expect.stringMatching(/key "pattern" is already in line 1/)]);
  });

  test("cannot reach a prototype", () => {
    for (const text of [
      "__proto__: {routes: {}}",
      "routes: {__proto__: {tool: Bash}}",
      'routes: {a: {tool: Bash, pattern: x, rewrite: {"__proto__": x}}}',
      '{"routes": {"\\u005f_proto__": {}}}',
    ]) {
      expect(problems(text), text).toEqual([expect.stringMatching(/"__proto__" is not accepted/)]);
    }
    expect(({} as Record<string, unknown>).routes).toBeUndefined();
    expect(problems("constructor: {prototype: {polluted: 1}}")).toEqual([
      expect.stringMatching(/constructor: unknown key/),
    ]);
  });

  test("cannot crash the gate with names that every object has", async () => {
    const text = `routes:
  constructor: {tool: Bash, pattern: one, message: m}
  toString: {tool: Bash, pattern: two, message: m}
policies:
  constructor: {tools: valueOf, action: deny}
  hasOwnProperty: {tools: Bash, action: deny, conditions: [{type: argument, field: constructor, operator: equals, value: x}]}
limits:
  constructor: {tools: Bash, max: 5, windowMs: 1000}
`;
    const { routes, policies, limits } = parsedFile(text, "f.yaml");
    await using gate = await createGate({ routes, policies, limits });
    expect(await gate.check({ tool: "Bash", input: { command: "one" } })).toMatchObject({
      verdict: "deny",
      rule: { name: "constructor", source: { file: "f.yaml", line: 2, column: 3 } },
    });
    expect((await gate.check({ tool: "Bash", input: { command: "three" } })).verdict).toBe("abstain");
  });

  test("cannot show a reader other lines than the ones that count", () => {
    const told = [expect.stringMatching(/^f\.yaml:1:7: The file holds/)];
    const signs = [
      "\u2028",
      "\u2029",
      "\x85",
      "\r",
      "\x0b",
      "\x0c",
      "\u202e",
      "\u2066",
      "\x08",
      "\x1b[1A",
      "\0",
    ];
    for (const hidden of signs)
      expect(problems(`# safe${hidden}routes: {}\n`), JSON.stringify(hidden)).toEqual(told);
  });

  test("cannot have two names that look the same", () => {
    for (const hidden of ["\u200b", "\u00ad", "\u2060", "\u{e0041}", "\ufe0f", "\u3164", "\u00a0"]) {
      const text = `routes:\n  "no-push": {tool: Bash, pattern: a, message: m}\n  "no-push${hidden}": {tool: Bash, pattern: b, message: m}\n`;
      const [found = "", ...more] = problems(text);
      expect([found, more.length]).toEqual([expect.stringMatching(/^f\.yaml:3:3: .*nobody can see/), 0]);
      expect(found).not.toContain(hidden);
    }
  });

  test("cannot run code or bring other types by tags", () => {
    const told = [expect.stringMatching(/tag|not accepted|not valid YAML/)];
    for (const tag of [
      ...["!!js/function", "!!js/regexp", "!!python/object/apply:os.system", "!ruby/object:Gem", "!include"],
      ...["!<tag:yaml.org,2002:js/undefined>", "!!binary", "!!timestamp", "!!omap", "!!set"],
    ])
      expect(problems(`routes: ${tag} {a: b}\n`), tag).toEqual(told);
  });

  test("cannot be YAML of another version, where yes and no are truth values", () => {
    const text = "tools: {enable_all: yes}\n";
    expect(problems(`%YAML 1.1\n---\n${text}`)).toEqual([expect.stringMatching(/directive/)]);
    expect(problems(text)).toEqual([expect.stringMatching(/true or false/)]);
  });

  test("cannot put text into our messages that a terminal would obey", () => {
    const esc = '"\\e[2Jrm -rf\\n\\u202e"';
    for (const text of [
      `${esc}: 1`,
      `routes: {${esc}: 1}`,
      `hooks: {default: ${esc}}`,
      `routes: {a: {tool: ${esc}, pattern: x}}`,
      `version: ${esc}`,
      `a: 1\n${esc}: 1\n${esc}: 2`,
    ]) {
      const found = problems(text).join(" ");
      expect(found).toContain("\\u{1B}");
      for (const character of ["\x1b", "\n", "\u202e"]) expect(found).not.toContain(character);
    }
  });
});
