import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silence } from "../../../../../src/agents/agent-hook.ts";
import { bash, createHookWorld, type HookWorld, rules, said, settle } from "../hook-world.ts";

const broken = "routes:\n  r: {tool: Bash, pattern: forbidden, mesage: Typo.}\n";
const otherRules = "routes:\n  other: {tool: Bash, pattern: other, message: Not that either.}\n";

function cacheFile({ rulesFolder: folder }: HookWorld): string {
  const [name = "", ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  return join(folder, name);
}

describe("rules that cannot be read", () => {
  it("deny every call when there were none before, with file, line and column", async () => {
    const world = createHookWorld();
    const file = world.user(broken);
    for (const command of ["ls", "forbidden"]) {
      const { stdout, stderr, exitCode } = await world.run(bash(command));
      expect([stdout, exitCode]).toEqual(["", 2]);
      expect(stderr).toContain("The configuration of toolgate cannot be used, so every call is denied.");
      expect(stderr).toContain(`${file}:2:`);
      expect(stderr).toMatch(/config\.yaml:2:\d+: .*mesage/);
    }
    const claude = await world.claude(bash("ls"));
    expect([said(claude).permissionDecision, claude.exitCode]).toEqual(["deny", 2]);
  });

  it("leave the last good ones in force, and everybody is told on every call", async () => {
    const world = createHookWorld();
    const file = world.user(rules);
    expect((await world.run(bash("git push --force"))).exitCode).toBe(2);
    world.user(broken);
    for (let count = 0; count < 2; count++) {
      const blocked = await world.run(bash("git push --force"));
      expect(blocked.exitCode).toBe(2);
      expect(blocked.stderr).toContain("Do not use --force; open a pull request.");
      expect(blocked.stderr).toContain("the last rules that worked still hold.");
      expect(blocked.stderr).toContain(`${file}:2:`);
      const passed = await world.run(bash("echo hello"));
      expect(passed.exitCode).toBe(0);
      expect(passed.stderr).toContain("the last rules that worked still hold.");
      // The broken file's own rules do not count yet.
      expect((await world.run(bash("forbidden"))).exitCode).toBe(0);
    }
  });

  it("are told to Claude Code as a message to the person, and to the model where it was stopped", async () => {
    const world = createHookWorld();
    world.user(rules);
    await world.claude(bash("echo hello"));
    world.user(broken);
    const passed = await world.claude(bash("echo hello"));
    expect(passed.exitCode).toBe(0);
    expect(said(passed)).toEqual({ systemMessage: expect.stringContaining("still hold.") });
    const allowed = await world.claude(bash("ls"));
    expect(said(allowed)).toMatchObject({
      permissionDecision: "allow",
      systemMessage: expect.stringContaining("still hold."),
    });
    const blocked = await world.claude(bash("git push --force"));
    expect(said(blocked).permissionDecisionReason).toContain("still hold.");
    expect(blocked.exitCode).toBe(2);
  });

  it("are in force at once when they are repaired", async () => {
    const world = createHookWorld();
    world.user(rules);
    await world.run(bash("ls"));
    world.user(broken);
    await world.run(bash("ls"));
    world.user(otherRules);
    expect(await world.run(bash("git push --force"))).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await world.run(bash("other"))).toMatchObject({ exitCode: 2 });
  });

  it("are told up to a bearable number", async () => {
    const world = createHookWorld();
    const many = Array.from({ length: 30 }, (_, index) => `  r${index}: {tool: Bash, pattern: x, mesage: y}`);
    world.user(`routes:\n${many.join("\n")}\n`);
    const { stderr } = await world.run(bash("ls"));
    expect(stderr.trimEnd().split("\n").length).toBeLessThan(12);
    expect(stderr).toMatch(/… and \d+ more: toolgate config validate/);
  });

  it("deny when a file cannot be read at all", async () => {
    const world = createHookWorld();
    mkdirSync(world.userFile, { recursive: true });
    const { stderr, exitCode } = await world.run(bash("ls"));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(world.userFile);
  });
});

describe("rules that changed", () => {
  it.each<[what: string, change: (world: HookWorld) => void, command: string]>([
    ["in the user's file", (world) => world.user(otherRules), "other"],
    [
      "in the project's file that was not there",
      (world) => world.write("toolgate.yaml", otherRules),
      "other",
    ],
    ["in the routes of the project", (world) => world.write(".claude/tool-routes.yaml", otherRules), "other"],
    [
      "in a plugin that appeared among the skills",
      (world) => {
        const plugin = join(world.home, ".claude/skills/mine");
        world.write(join(plugin, ".claude-plugin/plugin.json"), '{"name":"mine"}');
        world.write(join(plugin, "hooks/tool-routes.yaml"), otherRules);
      },
      "other",
    ],
  ])("%s hold for the very next call", async (_, change, command) => {
    const world = createHookWorld();
    world.user(rules);
    await settle();
    expect((await world.run(bash(command))).exitCode).toBe(0);
    expect((await world.run(bash(command))).exitCode).toBe(0);
    change(world);
    expect((await world.run(bash(command))).exitCode).toBe(2);
  });

  it("hold also without a break, again and again", async () => {
    const world = createHookWorld();
    for (let count = 0; count < 12; count++) {
      world.user(`routes:\n  r: {tool: Bash, pattern: word${count}, message: m}\n`);
      expect((await world.run(bash(`word${count}`))).exitCode, `${count}`).toBe(2);
      expect((await world.run(bash(`word${count + 1}`))).exitCode, `${count}`).toBe(0);
    }
  });

  it("by a variable hold for the call that has it, and not for the others", async () => {
    const world = createHookWorld();
    const file = world.write(`${world.base}/more.yaml`, otherRules);
    await settle();
    const env = { TOOLGATE_ROUTES: file };
    for (let count = 0; count < 2; count++) {
      expect((await world.run(bash("other"), { env })).exitCode).toBe(2);
      expect((await world.run(bash("other"))).exitCode).toBe(0);
    }
  });

  it("by trust hold at once, and by its end no more", async () => {
    const world = createHookWorld();
    const file = world.write(
      "toolgate.yaml",
      "routes:\n  log: {tool: Bash, pattern: '^log$', action: rewrite, rewrite: {command: git log}}\n",
    );
    expect((await world.run(bash("log"))).exitCode).toBe(0);
    world.trust(file);
    expect((await world.run(bash("log"))).exitCode).toBe(2);
    rmSync(join(world.home, ".local/state/toolgate/trust.json"));
    expect((await world.run(bash("log"))).exitCode).toBe(0);
  });

  // No file of the rules says that a link in the name of the project leads elsewhere now.
  it("because the project is another one now are judged in that one", async () => {
    const world = createHookWorld();
    world.user(
      "policies: {src: {tools: Read, action: deny, reason: Mine., conditions: [{type: path, operator: inside, value: src}]}}\n",
    );
    for (const name of ["one", "two"]) mkdirSync(join(world.base, name, ".git"), { recursive: true });
    const link = join(world.base, "current");
    symlinkSync(join(world.base, "one"), link);
    await settle();
    const env = { CLAUDE_PROJECT_DIR: link };
    const read = (name: string) =>
      world.claude(
        {
          tool_name: "Read",
          tool_input: { file_path: join(world.base, name, "src/a.txt") },
          cwd: world.base,
        },
        { env, cwd: world.base },
      );
    expect([(await read("one")).exitCode, (await read("two")).exitCode]).toEqual([2, 0]);
    rmSync(link);
    symlinkSync(join(world.base, "two"), link);
    expect([(await read("one")).exitCode, (await read("two")).exitCode]).toEqual([0, 2]);
  });
});

describe("files of a project that nobody trusts", () => {
  it("only narrow; what is ignored is said once, with file and line", async () => {
    const world = createHookWorld();
    const file = world.write(
      "toolgate.yaml",
      `routes:
  log: {tool: Bash, pattern: '^git log$', action: rewrite, rewrite: {command: evil}}
  no-x: {tool: Bash, pattern: forbidden, message: Not here.}
policies:
  all: {tools: '*', action: approve}
`,
    );
    await settle();
    const first = await world.claude(bash("git log"));
    expect(first.exitCode).toBe(0);
    const { systemMessage, ...rest } = said(first);
    expect(rest).toEqual({});
    expect(systemMessage).toContain(`${file}:2: route "log" is ignored: it changes calls`);
    expect(systemMessage).toContain(`${file}:5: policy "all" is ignored: it approves calls`);
    expect(await world.claude(bash("git log"))).toEqual(silence);
    expect((await world.claude(bash("forbidden"))).exitCode).toBe(2);
  });

  // A denial leaves it out: it is said with the next call then.
  it.each(["ls", "forbidden"])(
    "are told about on standard error in the bare form, once: %s",
    async (first) => {
      const world = createHookWorld();
      world.write(
        "toolgate.yaml",
        "routes: {no-x: {tool: Bash, pattern: forbidden, message: No.}}\npolicies: {all: {tools: '*', action: approve}}\n",
      );
      await settle();
      const answers = [];
      for (const command of [first, "ls", "ls"]) answers.push(await world.run(bash(command)));
      expect(answers.map(({ exitCode }) => exitCode)).toEqual([first === "ls" ? 0 : 2, 0, 0]);
      const told = answers.map(({ stderr }) => stderr).join("");
      expect(told.match(/policy "all" is ignored: it approves calls/g)).toHaveLength(1);
      expect(answers[2]?.stderr).toBe("");
    },
  );
});

describe("the rule cache", () => {
  it.each<[what: string, spoil: (file: string) => void]>([
    ["is gone", rmSync],
    ["is cut short", (file) => truncateSync(file, 100)],
    ["is empty", (file) => writeFileSync(file, "")],
    ["holds something else", (file) => writeFileSync(file, "something else")],
    ["can be written by others", (file) => chmodSync(file, 0o666)],
    ["is a link", (file) => rmSync(file) ?? symlinkSync("/dev/null", file)],
  ])("is made again when it %s", async (_, spoil) => {
    const world = createHookWorld();
    world.user(rules);
    await settle();
    await world.run(bash("ls"));
    const file = cacheFile(world);
    const { length } = readFileSync(file);
    spoil(file);
    expect((await world.run(bash("git push --force"))).exitCode).toBe(2);
    expect((await world.run(bash("ls"))).exitCode).toBe(0);
    expect(readFileSync(file).length).toBe(length);
  });

  // Otherwise every call that needs that part would be denied until the configuration changes.
  it("is made again when a part of it is damaged that is read later", async () => {
    const world = createHookWorld();
    const many = Array.from(
      { length: 300 },
      (_, index) =>
        `  r${index}: {tool: Bash, pattern: 'word-${index}!', message: Use other words than these.}`,
    );
    world.user(`routes:\n${many.join("\n")}\n`);
    await settle();
    expect((await world.run(bash("echo hello"))).exitCode).toBe(0);
    const file = cacheFile(world);
    const bytes = readFileSync(file);
    // The last byte of the first half belongs to the message of the last route.
    const at = bytes.lastIndexOf("than these", bytes.length / 2);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(file, bytes);
    expect((await world.run(bash("word-299!"))).stderr).toContain("Use other words than these.");
    expect((await world.run(bash("word-299!"))).stderr).toContain("Use other words than these.");
  });

  it("denies with what to do when others can write to its folder", async () => {
    const world = createHookWorld();
    await world.run(bash("ls"));
    chmodSync(world.rulesFolder, 0o777);
    for (const run of [world.run, world.claude]) {
      const { stderr, exitCode } = await run(bash("ls"));
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${world.rulesFolder} can be written by others`);
      expect(stderr).toContain("chmod 700");
    }
  });

  it("denies when a file is where its folder should be", async () => {
    const world = createHookWorld();
    world.write(world.rulesFolder, "");
    const { stderr, exitCode } = await world.run(bash("ls"));
    expect(exitCode).toBe(2);
    expect(stderr).toContain("is not a folder: remove it.");
  });

  // Removing the temporary file fails there, too.
  it.each([".cache", ".cache/toolgate"])("does without when %s is a file, and says so", async (name) => {
    const world = createHookWorld();
    world.user(rules);
    world.write(join(world.home, name), "a file");
    const { stderr, exitCode } = await world.run(bash("ls"));
    expect(exitCode).toBe(0);
    expect(stderr).toContain("cannot be written");
    expect((await world.run(bash("git push --force"))).stderr).toContain("open a pull request");
  });
});
