/** Upstream servers in configuration files: how they are written, who may, and what is never printed. */
import { describe, expect, it } from "vitest";
import { addUpstream, removeUpstream } from "../../../src/config/settings/edit-upstreams.ts";
import { shownArguments, shownUpstream, shownUrl } from "../../../src/config/settings/shown-upstream.ts";
import type { UpstreamEntry } from "../../../src/config/settings/upstream-settings.ts";
import { fillIn } from "../../../src/config/settings/variables.ts";
import { createWorld, names, parsedFile, problemsIn } from "./world.ts";

const variable = (name: string) => `\${${name}}`;

const entries = (text: string): readonly UpstreamEntry[] =>
  parsedFile(text, "config.yaml").settings.upstreams ?? [];

describe("the section upstreams", () => {
  it("is read with its place and its defaults", () => {
    const [files] = entries("upstreams:\n  files:\n    command: npx\n    args: [-y, server]\n");
    expect(files).toEqual({
      name: "files",
      source: { file: "config.yaml", line: 2, column: 3 },
      transport: {
        kind: "stdio",
        command: "npx",
        args: ["-y", "server"],
        env: {},
        envPass: [],
        sandbox: "off",
      },
      enabled: true,
      tools: {},
      trustAnnotations: false,
      review: false,
      era: "auto",
    });
  });

  it.each([
    ["x: {}", ':3: upstreams.x: needs "command" or "url".'],
    ["x: { command: a, url: http://a/ }", ':3: upstreams.x: takes "command" or "url", not both.'],
    ["x: { url: http://a/, args: [b] }", ':24: upstreams.x.args: goes with "command" only; remove it.'],
    ["x: { command: a, headers: { b: c } }", ':20: upstreams.x.headers: goes with "url" only; remove it.'],
    ["x: { url: ftp://a/ }", ":13: upstreams.x.url: must be a full http(s) address."],
    ["x: { comand: a }", ':8: upstreams.x.comand: unknown key; did you mean "command"?'],
    ["Big: { command: a }", ":3: upstreams.Big: an upstream's name is 1 to 32 lower-case letters"],
    ["a__b: { command: a }", ':3: upstreams.a__b: an upstream\'s name must not hold "__"'],
    [
      `x: { command: a, env: { K: '${variable("no-name")}' } }`,
      "is not the name of an environment variable.",
    ],
    ["x: { url: http://u:p@a/ }", "must not hold a user or password"],
  ])("says what is wrong and where: %s", (line, expected) => {
    const [first, ...others] = problemsIn(`upstreams:\n  ${line}\n`);
    expect(first).toMatch(/^config\.yaml:2:/);
    expect(first).toContain(expected);
    expect(others).toEqual([]);
  });

  it("of a project counts once its file is trusted, and a name of the user stays the user's", async () => {
    const world = createWorld({ user: "upstreams:\n  files: { command: mine }\n" });
    const file = world.write(
      "toolgate.yaml",
      "upstreams:\n  files: { command: theirs }\n  db: { command: run-me, args: [--token, sesame-open-1] }\n",
    );
    const before = await world.open();
    expect(names(before.settings.upstreams)).toEqual(["files"]);
    expect(before.ignored.map(({ what, why, detail }) => `${what}: ${why}: ${detail}`)).toEqual([
      'upstream "files": it starts a program: theirs',
      'upstream "db": it starts a program: run-me',
    ]);
    world.trust(file);
    const after = await world.open();
    expect(after.settings.upstreams?.map(({ name, tier }) => `${tier} ${name}`)).toEqual([
      "user files",
      "project db",
    ]);
    expect(after.notes.join()).toContain('upstream "files" is ignored');
  });
});

describe("what is printed of an upstream", () => {
  it("shows names of variables and no values", () => {
    const [entry] = entries(`upstreams:
  x:
    url: https://mcp.example.com/mcp?api_key=sesame-open-1&page=2
    headers: { Authorization: 'Bearer ${variable("TOKEN")}', X-Key: sesame-open-2 }
  y:
    command: run
    args: [--api-key, sesame-open-3, --token=sesame-open-4, plain]
    env: { A: sesame-open-5, B: '${variable("B")}' }
`);
    const text = JSON.stringify(entry && shownUpstream(entry));
    expect(text).not.toContain("sesame");
    expect(text).toContain(`Bearer ${variable("TOKEN")}`);
    expect(shownUrl("https://a.example/x?page=2")).toBe("https://a.example/x?page=2");
    expect(shownArguments(["--api-key", "sesame", "--token=sesame", "plain"])).toEqual([
      "--api-key",
      "[hidden]",
      "--token=[hidden]",
      "plain",
    ]);
  });
});

describe("variables in values", () => {
  it("are filled in, have a default, and are missing when they are empty", () => {
    const env = { A: "1", EMPTY: "" };
    expect(fillIn(`x${variable("A")}y`, env)).toEqual({ ok: true, text: "x1y" });
    expect(fillIn(variable("B:-two"), env)).toEqual({ ok: true, text: "two" });
    expect(fillIn(`${variable("B")}${variable("EMPTY")}`, env)).toEqual({
      ok: false,
      missing: ["B", "EMPTY"],
    });
  });
});

describe("a file that a command changes", () => {
  const text = `# Mine.
upstreams: # servers
  one:
    command: a   # starts it

  # The second.
  two: { url: 'http://localhost:1/' }

# Last.
policies: {}
`;

  it("keeps every comment when a server is added", () => {
    const next = addUpstream(text, "three", { command: "c", args: ["-y"] });
    expect(next).toBe(
      text.replace(
        "two: { url: 'http://localhost:1/' }\n",
        "two: { url: 'http://localhost:1/' }\n  three:\n    command: c\n    args:\n      - '-y'\n",
      ),
    );
  });

  it("keeps the others when one is removed or replaced", () => {
    expect(removeUpstream(text, "one")).toBe(text.replace("  one:\n    command: a   # starts it\n", ""));
    const replaced = addUpstream(text, "one", { command: "b" });
    expect(names(entries(replaced))).toEqual(["two", "one"]);
    expect(replaced).toContain("# Last.");
  });

  it("loses the section with its last server, and gets one where there is none", () => {
    const empty = removeUpstream(removeUpstream(text, "one"), "two");
    expect(entries(empty)).toEqual([]);
    expect(empty).toContain("# Last.");
    expect(addUpstream("# Only this.\n", "a", { command: "b" })).toBe(
      "# Only this.\n\nupstreams:\n  a:\n    command: b\n",
    );
    expect(addUpstream("", "a", { command: "b" })).toBe("upstreams:\n  a:\n    command: b\n");
  });

  it.each(["upstreams: {}\n", "upstreams:\n", "upstreams: { one: { command: a } }\n", "{ version: 1 }\n"])(
    "can be any YAML: %j",
    (odd) => {
      expect(names(entries(addUpstream(odd, "new", { command: "b" })))).toContain("new");
    },
  );
});
