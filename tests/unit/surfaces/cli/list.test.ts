import { describe, expect, it } from "vitest";
import type { OpenConfig } from "../../../../src/open/open-config.ts";
import { checkConfiguration } from "../../../../src/surfaces/cli/commands/doctor/configuration.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();
/** What is listed of this file alone. */
const listed = async (text: string) => {
  world.file("a.yaml", text);
  return (await says(world.run("list --config a.yaml"))).out;
};

describe("toolgate list", () => {
  it("names each route with its file, tool and pattern, in the order in which they are tried", async () => {
    world.file("toolgate.yaml", goodFile);
    world.file(
      ".claude/tool-routes.yaml",
      "routes:\n  no-curl: {tool: [Bash, Monitor], pattern: '^curl ', message: Use WebFetch.}\n",
    );
    await says(
      world.run("list --all"),
      /^Routes \(merged from 3 sources\):\n\n/,
      "no-force-push (from: toolgate.yaml)\n  tool: Bash\n  pattern: git push.*--force\n\nno-curl (from: .claude/tool-routes.yaml)\n  tool: Bash, Monitor\n  pattern: ^curl \n",
      /\n\S+ \(from: \S*shipped\.yaml\)\n/,
    );
  });

  it("says that there are no rule files, and what to do next", async () => {
    const { code, out, err } = await world.run("list");
    expect([code, out]).toEqual([
      0,
      "There are no rule files for this folder. Write a first one:\n  toolgate init          for this project\n  toolgate init --user   for all your projects\n",
    ]);
    expect(err).toMatch(/shipped routes hold, too: toolgate list --all\n/);
    expect((await world.run("list --all")).out).toMatch(/^Routes \(merged from 1 source\):\n/);
  });

  it("says which approvals have had their last day, and so does doctor", async () => {
    const out = await listed(`policies:
  old: {tools: Bash, action: approve, until: 2020-01-31}
  young: {tools: Bash, action: approve, until: 9999-01-31}
`);
    expect(out).toContain("until: 2020-01-31 (over: it approves nothing)\n");
    expect(out).toContain("until: 9999-01-31\n");
    const config = {
      problems: [],
      ignored: [],
      sources: [],
      rules: { policies: [{ name: "old", tools: "Bash", action: "approve", until: "2020-01-31" }] },
    } as unknown as OpenConfig;
    expect(checkConfiguration(config, { cwd: "/" } as CliIo)).toContainEqual(
      expect.objectContaining({
        level: "warning",
        message: 'Policy "old" approves nothing any more: its last day was 2020-01-31.',
      }),
    );
  });

  it("shows the user's own rules, and says how many shipped ones there are", async () => {
    world.file("toolgate.yaml", goodFile);
    await expectEnd(world.run("list"), {
      out: /^Routes \(merged from 1 source\):\n\nno-force-push /,
      err: /^\d+ shipped routes hold, too: toolgate list --all\n/,
      never: "shipped.yaml",
    });
    expect((await world.run("list --all")).err).not.toContain("shipped routes hold");
  });

  it("says action, field, flags and rewrite only where they are not the default", async () => {
    const out = await listed(`routes:
  plain: {tool: Bash, pattern: a, message: m}
  full: {tool: X, pattern: b, flags: i, field: q, action: rewrite, rewrite: {q: c}}
`);
    expect(out).toBe(`Routes (merged from 1 source):

plain (from: a.yaml)
  tool: Bash
  pattern: a

full (from: a.yaml)
  tool: X
  pattern: b
  flags: i
  field: q
  action: rewrite
  rewrite: {"q":"c"}
`);
  });

  it("lists hooks with what they run", async () => {
    const file = world.file(
      "a.yaml",
      `hooks:
  commands:
    guard: {type: PreToolUse, toolPatterns: [Bash, Write], command: ./guard.sh}
    log: {type: PostToolUse, command: [cat, -n], failMode: open, mode: daemon, env: [A, B]}
`,
    );
    await says(
      world.run(["list", "--config", file]),
      `Hooks (merged from 1 source):

guard (from: a.yaml)
  type: PreToolUse
  tools: Bash, Write
  command: ./guard.sh

log (from: a.yaml)
  type: PostToolUse
  command: ["cat","-n"]
  mode: daemon
  failMode: open
  env: A, B
`,
    );
    await says(
      world.run(["config", "show", "--config", file]),
      "a.yaml (2 hooks)",
      `hooks:
  default: abstain
  commands:
    # from: a.yaml:3
    guard:
      type: PreToolUse
      toolPatterns:
        - Bash
        - Write
      command: ./guard.sh
`,
    );
  });

  it("lists policies by priority, and limits", async () => {
    const out = await listed(`policies:
  low: {tools: Bash, action: ask}
  high:
    tools: [Write, Edit]
    action: deny
    priority: 5
    conditions:
      - {type: path, operator: inside, value: prod}
      - {type: argument, field: a.b, operator: equals, value: [1, 2]}
limits:
  gentle: {tools: WebFetch, max: 10, windowMs: 60000, concurrent: 2}
`);
    expect(out).toBe(`Routes:

  (none)

Policies (merged from 1 source):

high (from: a.yaml)
  tools: Write, Edit
  action: deny
  conditions: path inside "prod" and argument a.b equals [1,2]
  priority: 5

low (from: a.yaml)
  tools: Bash
  action: ask

Limits (merged from 1 source):

gentle (from: a.yaml)
  tools: WebFetch
  max: 10 in 1m
  concurrent: 2
`);
  });

  it("says what was ignored because a file is not trusted, and how to trust it", async () => {
    world.file("toolgate.yaml", "routes:\n  open-door: {tool: Bash, pattern: x, action: allow}\n");
    await expectEnd(world.run("list"), {
      out: ["toolgate trust toolgate.yaml", 'toolgate.yaml:2: route "open-door": it lets calls pass'],
      never: "open-door (from:",
    });
  });

  it("says which shipped routes stepped aside", async () => {
    const shipped = JSON.parse((await world.run("list --all --json")).out) as { routes: { name: string }[] };
    const name = shipped.routes[0]?.name ?? "";
    world.file("toolgate.yaml", `routes:\n  ${name}: {tool: Bash, pattern: mine, message: Mine.}\n`);
    expect((await world.run("trust --yes")).code).toBe(0);
    const { out } = await world.run("list");
    expect(out).toContain(
      `Shipped routes that stepped aside:\n  ${name} (replaced by one in toolgate.yaml)\n`,
    );
    expect(out.split(`${name} (from:`)).toHaveLength(2);
  });

  it("says which shipped routes are switched off, and where", async () => {
    world.file("toolgate.yaml", "shipped: [github-pr]\n");
    expect((await world.run("trust --yes")).code).toBe(0);
    expect((await world.run("list")).out).toContain("  github-pr (switched off in toolgate.yaml)\n");
  });

  it("prints everything as JSON, and nothing else", async () => {
    world.file("toolgate.yaml", goodFile);
    const mine = JSON.parse((await world.run("list --json")).out) as { sources: { origin: string }[] };
    expect(mine.sources.map(({ origin }) => origin)).toEqual(["project"]);
    const listed = (await world.json("list --all")) as Record<
      string,
      { name?: string; tier?: string; origin?: string }[]
    >;
    expect(listed.routes?.[0]).toMatchObject({ name: "no-force-push", tier: "project" });
    expect(listed.sources?.map(({ origin }) => origin)).toEqual(["project", "shipped"]);
    expect(Object.keys(listed)).toEqual([
      "sources",
      "routes",
      "policies",
      "limits",
      "hooks",
      "steppedAside",
      "ignored",
      "notes",
    ]);
  });

  it("names both places where two files use the same name", async () => {
    const route = "routes:\n  twice: {tool: Bash, pattern: PATTERN, message: m}\n";
    world.file("toolgate.yaml", route.replace("PATTERN", "a"));
    world.file(".claude/tool-routes.yaml", route.replace("PATTERN", "b"));
    await refuses(world.run("list"), ".claude/tool-routes.yaml:2", "toolgate.yaml:2");
  });

  it("shows what a name or pattern hides", async () => {
    const file = world.file(
      "a.yaml",
      'routes:\n  a: {tool: Bash, pattern: "a\\e[31m\\u202eb", message: m}\n',
    );
    const { out, err } = await world.run(["list", "--config", file]);
    expect(`${out}${err}`).not.toContain("\u001b");
    expect(`${out}${err}`).not.toContain("\u202e");
  });

  it("uses colours on a terminal only, and not with NO_COLOR", async () => {
    const file = world.file("a.yaml", goodFile);
    const argv = ["list", "--config", file];
    expect((await world.run(argv, { isTerminal: true })).out).toContain("\u001b[");
    expect((await world.run(argv, { isTerminal: true, env: { NO_COLOR: "1" } })).out).not.toContain(
      "\u001b[",
    );
    expect((await world.run(argv, { isTerminal: true, env: { TERM: "dumb" } })).out).not.toContain("\u001b[");
    expect((await world.run(argv)).out).not.toContain("\u001b[");
  });
});
