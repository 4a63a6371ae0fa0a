import { describe, expect, it } from "vitest";
import { type ParsedFile, parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import { names, parsedFile as parsed, problemsIn } from "../world.ts";

const problems = (text: string, kind?: "config" | "routes") => problemsIn(text, "toolgate.yaml", kind);
const topKeys =
  "$schema, version, description, routes, policies, limits, hooks, shell, ledger, store, tools, categories, plugins, web, sandbox, upstreams, notify, server, sessions, mcp, shipped";

describe("parseConfigFile", () => {
  it("reads routes with their place", () => {
    const { routes } = parsed(`version: 1
description: Ours.
routes:
  use-gh:
    tool: [WebFetch, "mcp__fetch__*"]
    pattern: 'github\\.com/(.*)'
    flags: i
    field: url
    message: |
      Use gh:
        gh $1
    tests:
      - desc: it blocks
        input: {tool_name: WebFetch, tool_input: {url: https://github.com/a, n: 1}}
        expect: block
        contains: gh
  short-log: {tool: Bash, pattern: '^git log$', action: rewrite, rewrite: {command: git log -n 20}}
`);
    const input = { tool_name: "WebFetch", tool_input: { url: "https://github.com/a", n: 1 } };
    expect(routes).toEqual([
      {
        name: "use-gh",
        tool: ["WebFetch", "mcp__fetch__*"],
        pattern: "github\\.com/(.*)",
        flags: "i",
        field: "url",
        message: "Use gh:\n  gh $1\n",
        tests: [{ desc: "it blocks", input, expect: "block", contains: "gh" }],
        source: { file: "toolgate.yaml", line: 4, column: 3 },
      },
      {
        name: "short-log",
        tool: "Bash",
        pattern: "^git log$",
        action: "rewrite",
        rewrite: { command: "git log -n 20" },
        source: { file: "toolgate.yaml", line: 17, column: 3 },
      },
    ]);
  });

  it("reads policies and limits by name and as lists", () => {
    const mapping = parsed(`policies:
  no-rm: {tools: Bash, action: deny, conditions: [{type: command, operator: startsWith, value: rm}], priority: 5}
limits:
  few: {tools: Bash, max: 3, windowMs: 1000}
`);
    const list = parsed(`policies:
  - name: no-rm
    tools: Bash
    action: deny
    conditions: [{type: command, operator: startsWith, value: rm}]
    priority: 5
limits:
  - {name: few, tools: Bash, max: 3, windowMs: 1000}
`);
    const bare = ({ policies, limits }: ParsedFile) =>
      [policies, limits].flat().map((rule) => ({ ...rule, source: 0 }));
    expect(bare(list)).toEqual(bare(mapping));
    const file = "toolgate.yaml";
    expect(mapping.policies[0]?.source).toEqual({ file, line: 2, column: 3 });
    expect(list.policies[0]?.source).toEqual({ file, line: 2, column: 5 });
    expect(list.limits[0]?.source).toEqual({ file, line: 8, column: 5 });
  });

  it("reads settings", () => {
    const text = "hooks: {default: deny}\ntools:\n  enable_all: false\n  enabled_categories: [shell, web]\n";
    const settings = (given: string) => parsed(given).settings;
    expect(settings(text)).toEqual({
      hooks: { default: "deny" },
      tools: { enableAll: false, enabledCategories: ["shell", "web"] },
    });
    for (const empty of ["", "tools: {ceilings: }\nweb:\n"]) expect(settings(empty)).toEqual({});
    const ceilings = { code: "execute" };
    expect(settings("tools: {ceilings: {code: execute}}\n")).toEqual({ tools: { ceilings } });
    const url = "https://s.example/search";
    expect(settings(`web: {search: {url: '${url}'}}\n`)).toEqual({ web: { search: { url } } });
    const brave = "url: 'https://b.example/s', format: brave, key_env: KEY, key_header: X, key_prefix: 'B '";
    expect(settings(`web: {search: {${brave}, allow_private: true}}\n`).web?.search).toEqual({
      url: "https://b.example/s",
      format: "brave",
      keyEnv: "KEY",
      keyHeader: "X",
      keyPrefix: "B ",
      allowPrivate: true,
    });
  });

  it("takes JSON", () => {
    const text =
      '{\n\t"$schema": "x",\n\t"routes": {"a": {"tool": "Bash", "pattern": "\\\\bgit\\\\b", "message": "no"}}\n}\n';
    const route = { name: "a", pattern: "\\bgit\\b", source: { line: 3 } };
    expect(parsed(text, "f", "routes").routes[0]).toMatchObject(route);
  });

  it("takes empty files and sections with everything commented out", () => {
    const nothing = { routes: [], policies: [], limits: [], hooks: [], settings: {} };
    expect(parsed("")).toEqual(nothing);
    expect(parsed("# soon\n", "f", "routes")).toEqual(nothing);
    expect(parsed("routes:\n  # a:\npolicies:\nlimits:\nhooks:\ntools:\n")).toEqual(nothing);
    const noTests = "routes:\n  a:\n    tool: Bash\n    pattern: x\n    message: y\n    tests:\n";
    expect(parsed(noTests).routes[0]).not.toHaveProperty("tests");
  });

  it("takes names that objects have anyway", () => {
    const given = ["constructor", "prototype", "toString", "hasOwnProperty"];
    const text = `routes:\n${given.map((name) => `  ${name}: {tool: Bash, pattern: ${name}, message: m}\n`).join("")}`;
    expect(names(parsed(text).routes)).toEqual(given);
  });

  it("repeats a part by an alias", () => {
    const text = `routes:
  a: {tool: Bash, pattern: a, message: &text "Not here."}
  b: {tool: Bash, pattern: b, message: *text}
`;
    expect(parsed(text).routes.map(({ message }) => message)).toEqual(["Not here.", "Not here."]);
  });
});

describe("the problems of a file", () => {
  const number = "expected text, received the number 3; put it in quotes.";
  const messages = (text: string) =>
    problems(text).map((line) => line.replace(/^toolgate\.yaml:\d+:\d+: /, ""));

  it("are all told, in the order of the file, each once", () => {
    const text = `version: 2
rules: {}
routes:
  a:
    tools: Bash
    patern: x
    action: blok
    tests:
      - input: {tool_name: Bash}
        expect: deny
      - desc: 3
  b: [x]
  c:
  d: {tool: "Bash, WebFetch", pattern: 3, message: {a: b}, name: q}
policies:
  - tools: []
    action: block
  - name: z
    tools: "*"
    action: ask
    conditions:
      - {type: path, operator: is, value: [1, {a: 1}]}
    priority: "3"
    modes: [acting]
limits:
  x: {max: -1, windowMs: 1.5, per: tol}
hooks: {defalt: deny}
tools: {enable_all: yes}
`;
    expect(problems(text)).toEqual([
      "toolgate.yaml:1:10: version: expected 1, received the number 2.",
      'toolgate.yaml:2:1: rules: unknown key; did you mean "routes"?',
      'toolgate.yaml:5:5: routes.a.tools: unknown key; did you mean "tool"?',
      'toolgate.yaml:6:5: routes.a.patern: unknown key; did you mean "pattern"?',
      'toolgate.yaml:7:13: routes.a.action: expected one of block, allow, rewrite, received "blok"; did you mean block?',
      "toolgate.yaml:9:9: routes.a.tests[0].input: needs tool_input.",
      'toolgate.yaml:10:17: routes.a.tests[0].expect: expected one of block, allow, ask, approved, not-approved, received "deny"; did you mean block?',
      "toolgate.yaml:11:9: routes.a.tests[1]: needs input and expect.",
      "toolgate.yaml:11:15: routes.a.tests[1].desc: expected text, received the number 3; put it in quotes.",
      'toolgate.yaml:12:6: routes.b: expected a mapping (key: value), received a list; give each entry a name of its own instead of "- ".',
      "toolgate.yaml:13:5: routes.c: expected a mapping (key: value), received nothing.",
      'toolgate.yaml:14:13: routes.d.tool: "Bash, WebFetch" is not one tool\'s name; write several as a list: [Bash, WebFetch]',
      "toolgate.yaml:14:40: routes.d.pattern: expected text, received the number 3; put it in quotes.",
      "toolgate.yaml:14:52: routes.d.message: expected text, received a mapping; if it is meant as text, put it in single quotes.",
      'toolgate.yaml:14:60: routes: a rule\'s name is the key above it; remove "name".',
      "toolgate.yaml:16:5: policies[0]: needs name.",
      "toolgate.yaml:16:12: policies[0].tools: is an empty list, so the rule could never hold.",
      'toolgate.yaml:17:13: policies[0].action: expected one of approve, ask, deny, received "block"; did you mean deny?',
      'toolgate.yaml:22:32: policies[1].conditions[0].operator: expected one of equals, contains, matches, lessThan, greaterThan, inside, startsWith, keys, usage, files, received "is".',
      "toolgate.yaml:22:47: policies[1].conditions[0].value[1]: expected text, a number or true or false, received a mapping; if it is meant as text, put it in single quotes.",
      'toolgate.yaml:23:15: policies[1].priority: expected a number, received "3"; remove the quotes.',
      'toolgate.yaml:24:13: policies[1].modes[0]: expected one of act, plan, received "acting"; did you mean act?',
      "toolgate.yaml:26:12: limits.x.max: must be 0 or more, not -1.",
      "toolgate.yaml:26:26: limits.x.windowMs: expected a duration or a whole number, received the number 1.5.",
      'toolgate.yaml:26:36: limits.x.per: expected one of tool, category, session, caller, gate, received "tol"; did you mean tool?',
      'toolgate.yaml:27:9: hooks.defalt: unknown key; did you mean "default"?',
      'toolgate.yaml:28:21: tools.enable_all: expected true or false, received "yes"; write true or false, without quotes.',
    ]);
  });

  it.each([
    [
      "- a",
      'The file: expected a mapping (key: value), received a list; give each entry a name of its own instead of "- ".',
    ],
    ["hello", 'The file: expected a mapping (key: value), received "hello".'],
    ["routes: x", 'routes: expected a mapping (key: value), received "x".'],
    ['routes: {"": {tool: Bash, pattern: x}}', 'routes[""]: the name must not be empty.'],
    ["policies: 3", "policies: expected a mapping (key: value) or a list, received the number 3."],
    ["policies: [no-rm]", 'policies[0]: expected a mapping (key: value), received "no-rm".'],
    ["constructor: 1", `constructor: unknown key; it takes ${topKeys}.`],
    ["toString: 1", `toString: unknown key; it takes ${topKeys}.`],
  ])("%s", (text, expected) => expect(messages(text)).toEqual([expected]));

  const test = "{input: {tool_name: Bash, tool_input: ls}, expect: allow}";
  it.each([
    ["{}", ": needs tool and pattern."],
    ["{tool: Bash, pattern: ''}", ".pattern: must not be empty."],
    ["{tool: [Bash, 3], pattern: x}", `.tool[1]: ${number}`],
    [
      "{tool: Bash|Read, pattern: x}",
      '.tool: "Bash|Read" is not one tool\'s name; write several as a list: [Bash, Read]',
    ],
    [
      "{tool: Bash, pattern: [a-z]}",
      ".pattern: expected text, received a list; if it is meant as text, put it in single quotes.",
    ],
    ["{tool: Bash, pattern: x, rewrite: {command: 3}}", `.rewrite.command: ${number}`],
    [
      `{tool: Bash, pattern: x, tests: [${test}]}`,
      '.tests[0].input.tool_input: expected a mapping (key: value), received "ls".',
    ],
  ])("a route %s", (route, expected) => {
    expect(messages(`routes: {a: ${route}}`)).toEqual([`routes.a${expected}`]);
  });

  it("send everything but routes from a file of routes to toolgate.yaml", () => {
    expect(problems("routes: {}\npolicies: {}\nhooks: {}\nlimit: {}\n", "routes")).toEqual([
      "toolgate.yaml:2:1: policies: does not belong into a file of routes; put it into toolgate.yaml.",
      "toolgate.yaml:3:1: hooks: does not belong into a file of routes; put it into toolgate.yaml.",
      "toolgate.yaml:4:1: limit: unknown key; it takes $schema, version, description, routes.",
    ]);
  });

  it("are one for a file that cannot be read, with its place", () => {
    const found = problems("routes:\n  a:\n    tool: *\n    tool: x\n");
    expect(found).toEqual([expect.stringMatching(/^toolgate\.yaml:3:11: \*/)]);
  });

  it("name patterns that double quotes or a block have changed", () => {
    const rule = (pattern: string) =>
      `routes:\n  a:\n    tool: Bash\n    message: m\n    pattern: ${pattern}\n`;
    expect(problems(rule('"\\bgit"'))).toEqual([
      expect.stringMatching(/^toolgate\.yaml:5:14: routes\.a\.pattern: \\b inside double/),
    ]);
    expect(problems(rule("|\n      git push"))).toEqual([
      expect.stringMatching(/:5:14: .*ends with a line break.*"\|-"/),
    ]);
    expect(problems(rule("|-\n      git push"))).toEqual([]);
    expect(problems(rule('"\\\\bgit\\n\\tpush"'))).toEqual([]);
    const policy = (value: string) =>
      `policies:\n  p: {tools: Bash, action: deny, conditions: [{type: command, operator: matches, value: ${value}}]}\n`;
    expect(problems(policy('[a, "\\bgit"]'))).toEqual([
      expect.stringMatching(/:2:93: policies\.p\.conditions\[0\]\.value\[1\]: /),
    ]);
    expect(problems(policy("git"))).toEqual([]);
  });

  it("name invisible characters in names and tools, and show them", () => {
    expect(problems('routes:\n  "a\\u200b": {tool: Bash, pattern: x, message: m}\n')).toEqual([
      'toolgate.yaml:2:3: routes["a\\u{200B}"]: the name holds characters that nobody can see; remove them.',
    ]);
    expect(problems('policies:\n  - {name: a\u00ad, tools: [Bash, "Re\\u200dad"], action: deny}\n')).toEqual([
      "toolgate.yaml:2:5: policies[0]: the name holds characters that nobody can see; remove them.",
      "toolgate.yaml:2:30: policies[0].tools[1]: holds characters that nobody can see, so it would never match; remove them.",
    ]);
  });

  it("keep a limit that the caller gives", () => {
    const parsedShort = parseConfigFile("routes: {}", "f", "routes", { limits: { maxBytes: 5 } });
    expect(parsedShort).toMatchObject({ ok: false, problems: [{ file: "f", line: 1 }] });
  });
});
