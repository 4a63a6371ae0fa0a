import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../../src/config/config-problem.ts";
import { convertRoutes } from "../../../../src/config/convert/convert-routes.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import type { Route } from "../../../../src/rules/routes.ts";
import { names, parsedFile } from "../world.ts";

function converted(value: unknown): { yaml: string; notes: readonly string[] } {
  const result = convertRoutes(typeof value === "string" ? value : JSON.stringify(value), "tool-routes.json");
  if (!result.ok) throw new Error(result.problems.map(describeConfigProblem).join("\n"));
  return result;
}

function routesIn(yaml: string): Route[] {
  return parsedFile(yaml, "tool-routes.yaml", "routes").routes.map(({ source: _, ...route }) => route);
}

function problems(json: string): string[] {
  const result = convertRoutes(json, "old.json");
  return result.ok ? [] : result.problems.map(describeConfigProblem);
}

describe("convertRoutes", () => {
  it("makes YAML that a person would have written", () => {
    const { yaml, notes } = converted({
      _comment: "Our routes.\nSee the wiki.",
      routes: {
        jira: {
          pattern: "https?://[^/]*\\.atlassian\\.net",
          message: "Use the Jira tools.\n\nThey're logged in.\n",
        },
        "no-mcp-cli": {
          _comment: "There is no such command.",
          tool_pattern: "Bash",
          command_pattern: "^\\s*mcp\\s+['\"]",
          message: "Call the tool itself.",
        },
      },
    });
    expect(yaml).toBe(`# Our routes.
# See the wiki.

routes:
  jira:
    tool: WebFetch
    pattern: 'https?://[^/]*\\.atlassian\\.net'
    message: |
      Use the Jira tools.

      They're logged in.

  # There is no such command.
  no-mcp-cli:
    tool: Bash
    pattern: '^\\s*mcp\\s+[''"]'
    message: 'Call the tool itself.'
`);
    expect(notes).toEqual([]);
  });

  it("takes the tools of tool_pattern where it names them", () => {
    const toolOf = (pattern: string) => {
      const { yaml, notes } = converted({
        routes: { a: { tool_pattern: pattern, command_pattern: "x", message: "m" } },
      });
      const [route] = routesIn(yaml);
      return [route?.tool, route?.field, notes.length];
    };
    expect(toolOf("Bash")).toEqual(["Bash", undefined, 0]);
    expect(toolOf("^Bash$")).toEqual(["Bash", undefined, 0]);
    expect(toolOf("Bash|run_shell_command")).toEqual([["Bash", "run_shell_command"], undefined, 0]);
    expect(toolOf("^(?:Bash|Task)$")).toEqual([["Bash", "Task"], "command", 0]);
    expect(toolOf("mcp__shell__.*")).toEqual(["mcp__shell__*", "command", 0]);
    expect(toolOf("^[A-Z]ash$")).toEqual(["Bash", undefined, 1]);
  });

  it("makes two routes of one that had a pattern for URLs and one for commands", () => {
    const { yaml, notes } = converted({
      routes: { pr: { pattern: "pull/1", command_pattern: "curl.*pull", message: "gh" } },
    });
    expect(routesIn(yaml)).toEqual([
      { name: "pr", tool: "WebFetch", pattern: "pull/1", message: "gh" },
      { name: "pr-command", tool: "Bash", pattern: "curl.*pull", message: "gh" },
    ]);
    expect(notes).toEqual(["pr: had two patterns, so there are two routes now: pr and pr-command."]);
    expect(
      problems(
        '{"routes":{"a":{"pattern":"x","command_pattern":"y","message":"m"},"a-command":{"pattern":"z","message":"m"}}}',
      ),
    ).toEqual(['old.json:1:68: routes.a-command: there would be two routes named "a-command".']);
  });

  it("keeps a file that has today's form already, with its tests", () => {
    const tool_input = { command: "a\nb", n: [1, { x: null }], e: {}, f: [] };
    const input = { tool_name: "Bash", tool_input };
    const route = {
      tool: ["Bash", "Task"],
      pattern: "x{2}",
      flags: "i",
      field: "command",
      action: "block",
      message: "No $1.",
      tests: [{ desc: "d: e", input, expect: "block", contains: "#" }],
    };
    const { yaml, notes } = converted({ version: 1, routes: { now: route } });
    expect(routesIn(yaml)).toEqual([{ name: "now", ...route }]);
    expect(notes).toEqual([]);
  });

  it("says what it left out and what to look at", () => {
    const { yaml, notes } = converted({
      settings: {},
      routes: { a: { pattern: "\\Afoo\\Z", enabled: false }, b: { pattern: "x", message: "m", severity: 3 } },
    });
    expect(notes).toEqual([
      "a: left out, because toolgate knows no such key: enabled.",
      "a: the pattern uses \\A, \\Z or (?#...), which JavaScript does not know.",
      "a: has no message; write what to do instead.",
      "b: left out, because toolgate knows no such key: severity.",
      'left out, because toolgate knows no such key: "settings".',
    ]);
    expect(names(routesIn(yaml))).toEqual(["a", "b"]);
  });

  it("keeps a dollar sign of an old message a dollar sign", async () => {
    const message = "Use awk '{print $1}' and $$ and $& and $ 1.";
    const { yaml } = converted({ routes: { a: { command_pattern: "cut (-f)", message } } });
    await using gate = await createGate({ routes: routesIn(yaml) });
    expect((await gate.check({ tool: "Bash", input: { command: "cut -f 1" } })).message).toBe(message);
  });

  it("means the same as before, whatever the texts hold", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom(
        ...[
          "",
          " a",
          "a ",
          "a\n",
          "a\n\n",
          "\na",
          "a\n b\nc",
          "a\n  \nb",
          "a\tb\nc",
          "a\r\nb",
          "x".repeat(90),
        ],
        ...["- a", "# a", "a: b", "'", "yes", "~", "1", "|", "---", "{", "%a", "\u2028", "\x85", "\ufeff"],
        ...["é: ☃"],
      ),
    );
    const filled = word.filter((text) => text !== "");
    const name = fc.oneof(
      fc.stringMatching(/^[a-z][\w -]{0,12}$/),
      fc.constantFrom("yes", "1", "a: b", "- x", "#", "é", "constructor"),
    );
    const old = fc.record(
      { pattern: filled, message: filled, _comment: word, flags: fc.constant("i") },
      { requiredKeys: ["pattern", "message"], noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, old, { maxKeys: 4, noNullPrototype: true }),
        word,
        (routes, comment) => {
          // A pattern with a control character, or one line break at its end, is a mistake that is told.
          for (const { pattern } of Object.values(routes)) {
            fc.pre(!["\0", "\x07", "\b", "\x1b"].some((one) => pattern.includes(one)));
            fc.pre(!/^[^\n]+\n$/.test(pattern));
          }
          for (const text of Object.keys(routes)) fc.pre(text.trim() === text);
          const json = JSON.stringify({ _comment: comment, routes }, (_, value) => value).replaceAll(
            /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd-\uffff]/g,
            (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
          const { yaml } = converted(json);
          const expected = Object.entries(routes).map(([key, { _comment: _, message, ...route }]) => ({
            name: key,
            tool: "WebFetch",
            ...route,
            message,
          }));
          expect(routesIn(yaml)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("what convertRoutes refuses", () => {
  const quoted = "a text in quotes is not closed, or holds a line break or a wrong escape.";
  it.each([
    ['{"routes": {}', '1:14: the text ends before a "{" is closed.'],
    ['{\n  "routes": {},\n}', '3:1: nothing follows the last ","; remove it.'],
    ['{"a" 1}', '1:6: a ":" is missing after the key.'],
    ['{"a": 1 "b": 2}', '1:9: a "," or "}" is missing.'],
    ["{'a': 1}", "1:2: JSON takes double quotes, not single ones."],
    ['{"a": tru}', "1:7: a value is expected."],
    ['{"a": "x\ny"}', `1:7: ${quoted}`],
    ['{"a": "\\d"}', `1:7: ${quoted}`],
    ["{} // end", "1:4: something follows the end of the JSON value."],
    ["", "1:1: the text ends too early."],
  ])("as no JSON: %j", (json, expected) => {
    expect(problems(json)).toEqual([`old.json:${expected.replace(" ", " The file is not valid JSON: ")}`]);
  });

  it.each([
    ["routes:\n  a: {}\n", "1:1: The file is YAML already, not JSON; use it as it is."],
    ["[]", '1:1: The file must hold an object with "routes".'],
    ["{}", "1:1: routes: must be an object of routes by name."],
    ['{"routes": []}', "1:2: routes: must be an object of routes by name."],
    ['{"routes": {"a": 1}}', "1:13: routes.a: must be an object."],
    ['{"routes": {"a": {"message": "m"}}}', "1:13: routes.a: needs a pattern or a command_pattern."],
    ['{"routes": {"a": {"pattern": 3}}}', "1:13: routes.a: pattern must be text."],
    ['{"routes": {"a": {}, "a": {}}}', '1:22: The key "a" is already in line 1; keep one of the two.'],
    [
      '{"routes": {"a": {"pattern": "x", "message": 3}}}',
      " routes.a.message: expected text, received the number 3; put it in quotes.",
    ],
  ])("%j", (json, expected) => expect(problems(json)).toEqual([`old.json:${expected}`]));
});
