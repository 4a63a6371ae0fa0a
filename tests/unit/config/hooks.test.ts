import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../src/config/config-problem.ts";
import { parseConfigFile } from "../../../src/config/file/parse-file.ts";
import { addTrust } from "../../../src/config/trust/trust.ts";
import { openConfig } from "../../../src/open/open-config.ts";
import { createWorld, type World } from "./world.ts";

const one = (name: string, more = "command: 'true'") =>
  `hooks:\n  commands:\n    ${name}:\n      type: PreToolUse\n      ${more}\n`;

async function problemsOf(text: string): Promise<string[]> {
  const { project, env, write } = createWorld();
  const configFile = write("given.yaml", text);
  const { problems } = await openConfig({ cwd: project, env, configFile });
  return problems.map((problem) => describeConfigProblem({ ...problem, file: "given.yaml" }));
}

function openIn({ project, env }: World) {
  return openConfig({ cwd: project, env });
}

function trust({ folders }: World, file: string): void {
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  addTrust(folders.state, [{ path: file, sha256 }]);
}

describe("hooks in configuration files", () => {
  it("are read with every key, and know where they stand", () => {
    const parsed = parseConfigFile(
      `hooks:
  default: ask
  concurrent: 3
  commands:
    guard:
      type: PreToolUse
      toolPatterns: [Bash, 'mcp__*']
      command: [python3, guard.py]
      timeoutMs: 500
      failMode: open
      isCancellable: false
      mode: daemon
      wire: claude-code
      env: [TOKEN]
      cwd: scripts
`,
      "/x/config.yaml",
      "config",
    );
    expect(parsed).toMatchObject({
      ok: true,
      file: {
        settings: { hooks: { default: "ask", concurrent: 3 } },
        hooks: [
          {
            name: "guard",
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
            source: { file: "/x/config.yaml", line: 5, column: 5 },
          },
        ],
      },
    });
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

  it("do not belong into files of routes", () => {
    const parsed = parseConfigFile(one("a"), "tool-routes.yaml", "routes");
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
      "hooks: does not belong into a file of routes; put it into toolgate.yaml.",
    ]);
  });

  it("come from the user, then from the project that is trusted; the same name twice is a problem", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), one("mine"));
    const file = world.write("toolgate.yaml", one("theirs", "command: 'touch /tmp/x'"));
    const untrusted = await openIn(world);
    expect(untrusted.rules.hooks?.map(({ name }) => name)).toEqual(["mine"]);
    expect(untrusted.ignored).toEqual([
      { file, line: 3, what: 'hook "theirs"', why: "it runs a command", detail: "touch /tmp/x" },
    ]);
    trust(world, file);
    expect((await openIn(world)).rules.hooks?.map(({ name }) => name)).toEqual(["mine", "theirs"]);
    trust(world, world.write("toolgate.yaml", one("mine")));
    const [problem] = (await openIn(world)).problems;
    expect(problem).toMatchObject({ file, line: 3, message: expect.stringContaining("used twice") });
  });

  it("may run as many at once as the most trusted file says", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), "hooks: {concurrent: 2}\n");
    const file = world.write("toolgate.yaml", "hooks: {concurrent: 50}\n");
    expect((await openIn(world)).ignored).toMatchObject([{ what: "hooks.concurrent" }]);
    trust(world, file);
    expect((await openIn(world)).settings.hookConcurrency).toBe(2);
  });
});
