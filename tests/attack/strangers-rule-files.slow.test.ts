/** Rule files of a repository that nobody vouches for: they cannot stop anything, and they are not a way to read other files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAgent } from "../../src/agents/all-agents.ts";
import { claudeCode } from "../../src/agents/claude-code/agent.ts";
import { createIsolatedReader } from "../../src/config/trust/isolated-strangers.ts";
import { ownReader, strangerBudget, unboundedReader } from "../../src/config/trust/strangers.ts";
import { readTextFile } from "../../src/safe/files/documents/read-text-file.ts";
import { runHook } from "../../src/surfaces/hook/process/run-hook.ts";
import { createWorld, names, type World } from "../unit/config/world.ts";
import { createCliWorld } from "../unit/surfaces/cli/cli-world.ts";
import { hostileFiles, hostileTexts, routes, secretParts, secretText } from "./hostile-rule-files.ts";

function hide(world: World): string {
  return world.write(join(world.home, ".ssh", "id"), secretText);
}

function expectNothingOf(said: unknown): void {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  for (const part of secretParts) expect(text).not.toContain(part);
}

/** Of all threads: a pattern may be tried in another one. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function hookCall({ project: cwd, env }: World) {
  const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, cwd };
  return runHook({
    agent: await openAgent(claudeCode),
    stdin: JSON.stringify(call),
    env: { ...env, CLAUDE_PROJECT_DIR: cwd },
    cwd,
  });
}

describe("a repository that nobody vouches for", () => {
  it.each(hostileFiles)(
    "is read in bounded time and memory, and gives nothing away: $what",
    async ({ put }) => {
      const world = createWorld();
      put(world.project, hide(world));
      const before = processorMs();
      const config = await world.open();
      expect(processorMs() - before).toBeLessThan(3_000);
      const { problems, ignored, notes } = config;
      expectNothingOf({ problems, ignored, notes });
      const answer = await hookCall(world);
      expectNothingOf(answer);
      // Strict: what cannot be used stops everything, and the project is told.
      if (problems.length > 0) expect(answer.stdout).toContain("cannot be used, so every call is denied");
    },
  );

  it.each([
    "a mebibyte of counted repeats",
    "20,000 patterns",
    "nested repeats",
    "tens of thousands of empty rules",
    "a rule that names 25,000 tools",
    "a rule for 15,000 patterns of names",
    "2,500 rules with stars in their names",
    "3,500 limits",
  ])("counts before anything is built: %s", async (what) => {
    const world = createWorld();
    const file = world.write("toolgate.yaml", hostileTexts[what] ?? "");
    const { problems } = await world.open();
    expect(problems).toEqual([{ file, message: expect.stringMatching(/not trusted: .* toolgate trust$/) }]);
  });

  it("shares one budget among all files of the place", async () => {
    const most = Math.ceil(strangerBudget.patterns / 2) + 1;
    const world = createWorld({ project: routes((index) => `a${index}`, { most }) });
    world.write("toolgate.yml", routes((index) => `b${index}`, { most }).replaceAll("  r", "  s"));
    const { problems } = await world.open();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(`${strangerBudget.patterns} patterns together`);
  });

  it("may be a large one of honest rules", async () => {
    const honest = routes((index) => `^git push --force-${index}\\b.*(?:main|master)$`, { most: 400 });
    const world = createWorld({ project: honest });
    const { problems, rules } = await world.open();
    expect(problems).toEqual([]);
    expect(rules.routes?.filter(({ tier }) => tier === "project")).toHaveLength(400);
  });

  it("has no budget once somebody trusts it, or looks at it to decide that", async () => {
    const world = createWorld();
    const file = world.write(
      "toolgate.yaml",
      routes((index) => `x${index}y`, { most: 1_000 }),
    );
    expect((await world.open()).problems).toHaveLength(1);
    expect((await world.open({ strangers: unboundedReader })).problems).toEqual([]);
    world.trust(file);
    expect((await world.open()).problems).toEqual([]);
  });

  it("is read by another process in the same words", async () => {
    const reader = createIsolatedReader();
    try {
      for (const text of Object.values(hostileTexts).map((one) => one.slice(0, 20_000))) {
        const files = [{ file: "/f.yaml", kind: "config", text, narrows: true } as const];
        expect(await reader.read(files)).toEqual(await ownReader.read(files));
      }
    } finally {
      reader.close();
    }
  });
});

describe("a rule file that is a link", () => {
  const oneRoute = "routes:\n  a: {tool: Bash, pattern: x, message: m}\n";

  it("inside of its project is followed", async () => {
    const world = createWorld();
    world.write("rules/all.yaml", oneRoute);
    symlinkSync("rules/all.yaml", join(world.project, "toolgate.yaml"));
    const { problems, rules } = await world.open();
    expect(problems).toEqual([]);
    expect(names(rules.routes)).toContain("a");
  });

  it("of a project that is itself reached through a link is fine", async () => {
    const world = createWorld({ project: oneRoute });
    const cwd = join(world.home, "work", "other");
    symlinkSync(world.project, cwd);
    expect((await world.open({ cwd })).problems).toEqual([]);
  });

  it("is refused though it takes the place of a file while that is read", async () => {
    const world = createWorld();
    const secret = hide(world);
    const file = world.write("toolgate.yaml", "routes: {}\n");
    // Each name is whole at any moment: what changes is what it leads to.
    const swap = `const fs = require("node:fs");
      const [file, secret] = process.argv.slice(1);
      for (;;) {
        fs.symlinkSync(secret, file + ".link"); fs.renameSync(file + ".link", file);
        fs.linkSync(secret, file + ".second"); fs.renameSync(file + ".second", file);
        fs.writeFileSync(file + ".plain", "routes: {}\\n"); fs.renameSync(file + ".plain", file);
      }`;
    const swapper = spawn(process.execPath, ["-e", swap, file, secret], { stdio: "ignore" });
    try {
      const ends = new Set<string>();
      const longest = performance.now() + 60_000;
      // On a busy machine the other process may not have had a turn for a while.
      for (let reads = 0; reads < 20_000 || (ends.size < 2 && performance.now() < longest); reads++) {
        const read = readTextFile(file, { within: world.project });
        const said = read.ok ? read.text : read.message;
        ends.add(said);
        expectNothingOf(said);
      }
      expect(ends.size).toBeGreaterThan(1);
    } finally {
      const gone = once(swapper, "exit");
      swapper.kill("SIGKILL");
      await gone;
    }
  });

  it("that a variable of the project's settings names is not quoted", async () => {
    const world = createWorld();
    const { problems } = await world.open({ env: { ...world.env, TOOLGATE_ROUTES: hide(world) } });
    expect(problems).toHaveLength(1);
    expectNothingOf(problems);
  });

  it("of a plugin is not followed, nor is a second name of a key", async () => {
    const world = createWorld();
    const secret = hide(world);
    const root = join(world.home, "plugin");
    mkdirSync(join(root, "hooks"), { recursive: true });
    linkSync(secret, join(root, "hooks", "tool-routes.yaml"));
    const { problems, notes } = await world.open({ env: { ...world.env, CLAUDE_PLUGIN_ROOT: root } });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("second name")]);
    expectNothingOf({ problems, notes });
  });
});

describe("what is said about a file that nobody vouches for", () => {
  const word = "Zq7xVt19LmPw";
  const route = (words: string) => `routes:\n  a: {tool: Bash, message: m, ${words}}\n`;

  it.each([
    ["a value of the wrong type", `routes: ${word}\n`],
    ["a choice that there is none of", route(`pattern: x, action: ${word}`)],
    ["a key that nobody knows", `${word}: 1\n`],
    ["a key below a rule", route(`pattern: x, ${word}: 1`)],
    ["a key twice", `${word}: 1\n${word}: 2\n`],
    ["a key that is no text", `? [${word}]\n: 1\n`],
    ["a tag", `a: !${word} 1\n`],
    ["an alias", `a: *${word}\n`],
    ["a directive", `%${word} 1\n---\na: 1\n`],
    ["a text that is no mapping", `${word}\n`],
    ["a list", `- ${word}\n`],
    ["a quote that is not closed", `a: "${word}\n`],
    ["a line without a colon", `a: 1\n${word}\nb: 2\n`],
    ["an escape", `a: "\\Q${word}"\n`],
    ["a sign that starts nothing", `a: @${word}\n`],
    ["something after a value", `a: 'x' ${word}\n`],
    ["a pattern", route(`pattern: '(${word}'`)],
    ["a pattern with a look-behind", route(`pattern: '(?<=${word})x'`)],
    [
      "a condition",
      `policies:\n  a: {tools: Bash, action: deny, conditions: [{type: size, operator: equals, value: ${word}}]}\n`,
    ],
    ["a tool's name", `routes:\n  a: {tool: "${word} x", pattern: x, message: m}\n`],
    ["an address", `web: {search: {url: "${word}"}}\n`],
    ["an upstream", `upstreams:\n  a: {url: "${word}"}\n`],
    ["a variable", `upstreams:\n  a: {command: x, env: {A: "\${${word} x}"}}\n`],
  ])("holds no word of it: %s", async (_, text) => {
    const world = createWorld({ project: text });
    const { problems, ignored } = await world.open();
    expect(problems.length + ignored.length).toBeGreaterThan(0);
    expectNothingOf({ problems, ignored });
    expectNothingOf(await hookCall(world));
  });

  it.each([
    ["config", "validate"],
    ["list"],
    ["explain", "Bash", '{"command":"ls"}'],
    ["doctor"],
    ["trust", "--yes"],
    ["config", "show"],
    ["config", "validate", "toolgate.yaml"],
    ["test", "toolgate.yaml"],
  ])("is nothing of what a link leads to: toolgate %s %s", async (...argv) => {
    const world = createCliWorld();
    onTestFinished(() => world.close());
    const secret = world.file("../home/.ssh/id", secretText);
    symlinkSync(secret, join(world.root, "toolgate.yaml"));
    const { out, err } = await world.run(argv);
    expectNothingOf(out + err);
  });

  it("still says where it is and what to do, in words of ours", async () => {
    const world = createWorld();
    const text = "routes:\n  a: {tool: Bash, patern: x, message: m, action: deny}\n";
    const place = { file: world.write("toolgate.yaml", text), line: 2, column: expect.any(Number) };
    expect((await world.open()).problems).toEqual([
      { ...place, message: 'unknown key; did you mean "pattern"?' },
      { ...place, message: "expected block, allow or rewrite." },
    ]);
  });
});
