import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../src/config/config-problem.ts";
import { createWorld, names, parsedFile } from "./world.ts";

const one = (name: string, more = "command: 'true'") =>
  `hooks:\n  commands:\n    ${name}:\n      type: PreToolUse\n      ${more}\n`;

async function problemsOf(text: string): Promise<string[]> {
  const { open, write } = createWorld();
  const { problems } = await open({ configFile: write("given.yaml", text) });
  return problems.map((problem) => describeConfigProblem({ ...problem, file: "given.yaml" }));
}

describe("hooks in configuration files", () => {
  it("are read with every key, and know where they stand", () => {
    const guard = {
      type: "PreToolUse",
      toolPatterns: ["Bash", "mcp__*"],
      command: ["python3", "guard.py"],
      timeoutMs: 500,
      failMode: "open",
      isCancellable: false,
      mode: "daemon",
      wire: "claude-code",
      env: ["TOKEN"],
      cwd: "scripts",
    };
    const text = `hooks:\n  default: ask\n  concurrent: 3\n  commands:\n    guard: ${JSON.stringify(guard)}\n`;
    const { settings, hooks } = parsedFile(text, "/x/config.yaml");
    expect(settings).toEqual({ hooks: { default: "ask", concurrent: 3 } });
    const source = { file: "/x/config.yaml", line: 5, column: 5 };
    expect(hooks).toEqual([{ name: "guard", ...guard, source }]);
  });

  it.each([
    [one("a", "comand: x"), 'given.yaml:5:7: hooks.commands.a.comand: unknown key; did you mean "command"?'],
    [one("a", "timeoutMs: 5"), "given.yaml:3:5: hooks.commands.a: needs command."],
    [one("a", "command: []"), "given.yaml:5:16: hooks.commands.a.command: is an empty list"],
    [one("a", "command: 'true'\n      mode: forever"), 'expected one of process, daemon, received "forever"'],
    [one("a", "command: ' '"), 'given.yaml:3:5: hook "a": command must be a line for the shell, or a list'],
    [one("a", "command: 'true'\n      timeoutMs: 700000"), "at most 600000"],
    [one("a", "command: 'true'\n      env: [A-B]"), 'The variable "A-B" is not a variable name'],
    [one("a", "command: 'true'\n      env: [TOOLGATE_TOKEN]"), "is reserved for toolgate itself"],
    [one("a", "command: 'true'\n      toolPatterns: Ba\u200bsh"), "characters that nobody can see"],
    ["hooks:\n  concurrent: 0\n", "given.yaml:2:15: hooks.concurrent: must be 1 or more"],
  ])("are refused with their place: %j", async (text, told) => {
    expect((await problemsOf(text)).join("\n")).toContain(told);
  });

  it("come from the user, then from the project that is trusted; the same name twice is a problem", async () => {
    const world = createWorld({ user: one("mine") });
    const file = world.write("toolgate.yaml", one("theirs", "command: 'touch /tmp/x'"));
    const untrusted = await world.open();
    expect(names(untrusted.rules.hooks)).toEqual(["mine"]);
    expect(untrusted.ignored).toEqual([
      { file, line: 3, what: 'hook "theirs"', why: "it runs a command", detail: "touch /tmp/x" },
    ]);
    world.trust(file);
    expect(names((await world.open()).rules.hooks)).toEqual(["mine", "theirs"]);
    world.trust(world.write("toolgate.yaml", one("mine")));
    const [problem] = (await world.open()).problems;
    expect(problem).toMatchObject({ file, line: 3, message: expect.stringContaining("used twice") });
  });

  it("may run as many at once as the most trusted file says", async () => {
    const world = createWorld({ user: "hooks: {concurrent: 2}\n" });
    const file = world.write("toolgate.yaml", "hooks: {concurrent: 50}\n");
    expect((await world.open()).ignored).toMatchObject([{ what: "hooks.concurrent" }]);
    world.trust(file);
    expect((await world.open()).settings.hookConcurrency).toBe(2);
  });
});
