/** Rule files of a repository that nobody vouches for: they cannot stop anything, and they are not a way to read other files. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openAgent } from "../../src/agents/all-agents.ts";
import { claudeCode } from "../../src/agents/claude-code/agent.ts";
import { createIsolatedReader } from "../../src/config/trust/isolated-strangers.ts";
import { ownReader, strangerBudget, unboundedReader } from "../../src/config/trust/strangers.ts";
import { addTrust } from "../../src/config/trust/trust.ts";
import { openConfig } from "../../src/open/open-config.ts";
import { readTextFile } from "../../src/safe/files/documents/read-text-file.ts";
import { runHook } from "../../src/surfaces/hook/process/run-hook.ts";
import { createWorld, type World } from "../unit/config/world.ts";
import { createCliWorld } from "../unit/surfaces/cli/cli-world.ts";
import { hostileFiles, hostileTexts, routes, secretParts, secretText } from "./hostile-rule-files.ts";

function hide(world: World): string {
  return world.write(join(world.home, ".ssh", "id"), secretText);
}

function expectNothingOf(said: unknown): void {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  for (const part of secretParts) expect(text).not.toContain(part);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function hookCall(world: World) {
  return runHook({
    agent: await openAgent(claudeCode),
    stdin: JSON.stringify({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      cwd: world.project,
    }),
    env: { ...world.env, CLAUDE_PROJECT_DIR: world.project },
    cwd: world.project,
  });
}

describe("a repository that nobody vouches for", () => {
  it.each(hostileFiles)(
    "is read in bounded time and memory, and gives nothing away: $what",
    async ({ put }) => {
      const world = createWorld();
      put(world.project, hide(world));
      const before = processorMs();
      const config = await openConfig({ cwd: world.project, env: world.env });
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
    const { problems } = await openConfig({ cwd: world.project, env: world.env });
    expect(problems).toEqual([{ file, message: expect.stringMatching(/not trusted: .* toolgate trust$/) }]);
  });

  it("shares one budget among all files of the place", async () => {
    const world = createWorld();
    const half = Math.ceil(strangerBudget.patterns / 2) + 1;
    for (const name of ["toolgate.yaml", "toolgate.yml"])
      world.write(
        name,
        routes((index) => `${name}${index}`, { most: half }).replaceAll(
          "  r",
          name.endsWith("yml") ? "  s" : "  r",
        ),
      );
    const { problems } = await openConfig({ cwd: world.project, env: world.env });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(`${strangerBudget.patterns} patterns together`);
  });

  it("may be a large one of honest rules", async () => {
    const world = createWorld();
    world.write(
      "toolgate.yaml",
      routes((index) => `^git push --force-${index}\\b.*(?:main|master)$`, { most: 400 }),
    );
    const { problems, rules } = await openConfig({ cwd: world.project, env: world.env });
    expect(problems).toEqual([]);
    expect(rules.routes?.filter(({ tier }) => tier === "project")).toHaveLength(400);
  });

  it("has no budget once somebody trusts it, or looks at it to decide that", async () => {
    const world = createWorld();
    const text = routes((index) => `x${index}y`, { most: 1_000 });
    const file = world.write("toolgate.yaml", text);
    const request = { cwd: world.project, env: world.env };
    expect((await openConfig(request)).problems).toHaveLength(1);
    expect((await openConfig({ ...request, strangers: unboundedReader })).problems).toEqual([]);
    addTrust(world.folders.state, [{ path: file, sha256: createHash("sha256").update(text).digest("hex") }]);
    expect((await openConfig(request)).problems).toEqual([]);
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
  it("inside of its project is followed", async () => {
    const world = createWorld();
    world.write("rules/all.yaml", "routes:\n  a: {tool: Bash, pattern: x, message: m}\n");
    symlinkSync("rules/all.yaml", join(world.project, "toolgate.yaml"));
    const { problems, rules } = await openConfig({ cwd: world.project, env: world.env });
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name }) => name)).toContain("a");
  });

  it("of a project that is itself reached through a link is fine", async () => {
    const world = createWorld();
    world.write("toolgate.yaml", "routes:\n  a: {tool: Bash, pattern: x, message: m}\n");
    const other = join(world.home, "work", "other");
    symlinkSync(world.project, other);
    expect((await openConfig({ cwd: other, env: world.env })).problems).toEqual([]);
  });

  it("is refused though it takes the place of a file while that is read", async () => {
    const world = createWorld();
    const secret = hide(world);
    const file = world.write("toolgate.yaml", "routes: {}\n");
    // Each name is whole at any moment: what changes is what it leads to.
    const swapper = spawn(
      process.execPath,
      [
        "-e",
        `const fs = require("node:fs");
         const [file, secret] = process.argv.slice(1);
         for (;;) {
           fs.symlinkSync(secret, file + ".link"); fs.renameSync(file + ".link", file);
           fs.linkSync(secret, file + ".second"); fs.renameSync(file + ".second", file);
           fs.writeFileSync(file + ".plain", "routes: {}\\n"); fs.renameSync(file + ".plain", file);
         }`,
        file,
        secret,
      ],
      { stdio: "ignore" },
    );
    try {
      const ends = new Set<string>();
      const until = performance.now() + 1_500;
      while (performance.now() < until) {
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
    const secret = hide(world);
    const { problems } = await openConfig({
      cwd: world.project,
      env: { ...world.env, TOOLGATE_ROUTES: secret },
    });
    expect(problems).toHaveLength(1);
    expectNothingOf(problems);
  });

  it("of a plugin is not followed, nor is a second name of a key", async () => {
    const world = createWorld();
    const secret = hide(world);
    const root = join(world.home, "plugin");
    mkdirSync(join(root, "hooks"), { recursive: true });
    linkSync(secret, join(root, "hooks", "tool-routes.yaml"));
    const env = { ...world.env, CLAUDE_PLUGIN_ROOT: root };
    const config = await openConfig({ cwd: world.project, env });
    expect(config.problems.map(({ message }) => message)).toEqual([expect.stringContaining("second name")]);
    expectNothingOf({ problems: config.problems, notes: config.notes });
  });
});

describe("what is said about a file that nobody vouches for", () => {
  const word = "Zq7xVt19LmPw";

  it.each([
    ["a value of the wrong type", `routes: ${word}\n`],
    [
      "a choice that there is none of",
      `routes:\n  a: {tool: Bash, pattern: x, action: ${word}, message: m}\n`,
    ],
    ["a key that nobody knows", `${word}: 1\n`],
    ["a key below a rule", `routes:\n  a: {tool: Bash, pattern: x, message: m, ${word}: 1}\n`],
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
    ["a pattern", `routes:\n  a: {tool: Bash, pattern: '(${word}', message: m}\n`],
    ["a pattern with a look-behind", `routes:\n  a: {tool: Bash, pattern: '(?<=${word})x', message: m}\n`],
    [
      "a condition",
      `policies:\n  a: {tools: Bash, action: deny, conditions: [{type: size, operator: equals, value: ${word}}]}\n`,
    ],
    ["a tool's name", `routes:\n  a: {tool: "${word} x", pattern: x, message: m}\n`],
    ["an address", `web: {search: {url: "${word}"}}\n`],
    ["an upstream", `upstreams:\n  a: {url: "${word}"}\n`],
    ["a variable", `upstreams:\n  a: {command: x, env: {A: "\${${word} x}"}}\n`],
  ])("holds no word of it: %s", async (_, text) => {
    const world = createWorld();
    world.write("toolgate.yaml", text);
    const { problems, ignored } = await openConfig({ cwd: world.project, env: world.env });
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
    const file = world.write(
      "toolgate.yaml",
      "routes:\n  a: {tool: Bash, patern: x, message: m, action: deny}\n",
    );
    const { problems } = await openConfig({ cwd: world.project, env: world.env });
    expect(problems).toEqual([
      { file, line: 2, column: expect.any(Number), message: 'unknown key; did you mean "pattern"?' },
      { file, line: 2, column: expect.any(Number), message: "expected block, allow or rewrite." },
    ]);
  });
});
