import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkFolder, checkNode } from "../../../../src/surfaces/cli/commands/doctor/machine.ts";
import { runDoctor } from "../../../../src/surfaces/cli/commands/doctor.ts";
import { runInstall } from "../../../../src/surfaces/cli/commands/install.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly todo?: string;
}

async function examine(world: World, env: Record<string, string> = {}) {
  const all = { HOME: world.home, PATH: "/usr/bin:/bin", ...env };
  const ran = await world.run((io) => runDoctor({ json: true, managedDir: world.managedDir }, io), {
    env: all,
  });
  const { ok, findings } = JSON.parse(ran.out) as { ok: boolean; findings: Finding[] };
  expect(ran.code).toBe(ok ? 0 : 1);
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { ok, findings, about };
}

/** A hook that knows the one rule which doctor gives it. */
const obedient = `
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const call = JSON.parse(readFileSync(0, "utf8"));
const rules = readFileSync(join(process.env.XDG_CONFIG_HOME, "toolgate", "config.yaml"), "utf8");
const value = (key) => new RegExp(key + ': "(.*)"').exec(rules)[1];
if (call.tool_name === "ToolgateCanary" && new RegExp(value("pattern")).test(call.tool_input.say)) {
  const said = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: value("message") };
  process.stdout.write(JSON.stringify({ hookSpecificOutput: said }));
  process.stderr.write(value("message"));
  process.exitCode = 2;
}
`;

async function installed(hook = obedient): Promise<World> {
  const world = createWorld();
  const bundle = world.write("toolgate/dist/hook/hook.cjs", hook);
  const { code } = await world.run((io) => runInstall({ agent: "claude-code", bundle }, io));
  expect(code).toBe(0);
  return world;
}

const settings = "home/.claude/settings.json";

function changeSettings(world: World, change: (text: string) => string): void {
  world.write(settings, change(readFileSync(world.path(settings), "utf8")));
}

describe("toolgate doctor", () => {
  it("finds everything in place after an installation", async () => {
    const world = await installed();
    const { ok, findings, about } = await examine(world);
    expect(findings.filter(({ level }) => level === "problem" || level === "warning")).toEqual([]);
    expect(ok).toBe(true);
    expect(about("hooks-installed")[0]?.message).toContain(world.path(settings));
    expect(about("canary")).toEqual([expect.objectContaining({ level: "ok" })]);
  });

  it("prints a line for each finding, what to do, and a count", async () => {
    const world = createWorld();
    const env = { HOME: world.home, PATH: "/usr/bin:/bin" };
    const { code, out } = await world.run((io) => runDoctor({ managedDir: world.managedDir }, io), { env });
    expect(code).toBe(1);
    expect(out).toContain(
      "✗ Claude Code does not ask toolgate: no hook is installed.\n  → Run: toolgate install claude-code\n",
    );
    expect(out).toMatch(/1 problem, \d warnings?\.\n$/);
  });

  it("writes nothing into the home, and leaves nothing in the temporary folder", async () => {
    const world = await installed();
    mkdirSync(world.path("tmp"));
    vi.stubEnv("TMPDIR", world.path("tmp"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const before = readdirSync(world.home, { recursive: true });
    expect((await examine(world)).about("canary")).toEqual([expect.objectContaining({ level: "ok" })]);
    expect(readdirSync(world.home, { recursive: true })).toEqual(before);
    expect(readdirSync(world.path("tmp"))).toEqual([]);
  });
});

describe("toolgate doctor on hooks", () => {
  it.for([
    ["crashes", "process.exit(1)", "problem", "ended with 1"],
    ["lets everything pass", "", "problem", "was not blocked"],
    [
      "blocks everything",
      'process.stderr.write("broken rules"); process.exit(2)',
      "problem",
      "another reason than the rule it was given: broken rules",
    ],
    [
      "spoils its answer",
      obedient.replace("process.stdout.write(", 'process.stdout.write("debug " + '),
      "problem",
      "cannot be read",
    ],
    ["is noisy", `console.error("hello");${obedient}`, "warning", "should be silent: hello"],
    [
      "blocks what no rule concerns",
      `${obedient}; process.exitCode = 2`,
      "warning",
      "that no rule of yours concerns was blocked",
    ],
    ["cannot be parsed", "}", "problem", "ended with 1"],
  ] as const)("tries the installed hook and sees that it %s", async ([, hook, level, message]) => {
    const { about } = await examine(await installed(hook));
    expect(about("canary")).toEqual([
      {
        check: "canary",
        level,
        message: expect.stringContaining(message),
        todo: expect.stringContaining("hook.cjs"),
      },
    ]);
  });

  it("sees that the hook or the node it needs is gone", async () => {
    const world = await installed();
    changeSettings(world, (text) => text.replaceAll(JSON.stringify(process.execPath), '"/gone/node"'));
    expect((await examine(world)).about("canary")[0]).toMatchObject({
      level: "problem",
      message: expect.stringContaining("/gone/node"),
    });
    rmSync(world.path("toolgate"), { recursive: true });
    const { about } = await examine(world);
    expect(about("hook-file")[0]).toMatchObject({
      level: "problem",
      message: expect.stringContaining(`${world.path("toolgate/dist/hook/hook.cjs")}, which is not there`),
    });
  });

  it("sees hooks that people wrote by hand, and runs them as the client would", async () => {
    const world = createWorld();
    world.write("toolgate/dist/hook/hook.cjs", obedient);
    const command = `"${process.execPath}" "${world.path("toolgate/dist/hook/hook.cjs")}" claude-code`;
    world.write(settings, {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command, timeout: 30, onFailure: "block" }] }] },
    });
    const { ok, about } = await examine(world);
    expect(about("canary")).toEqual([expect.objectContaining({ level: "ok" })]);
    expect(ok).toBe(true);
  });

  it("finds the hooks of the plugin, and warns when the settings have them too", async () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    const hooks = readFileSync("plugins/claude-code/hooks/hooks.json", "utf8");
    const file = world.write("market/plugins/toolgate/hooks/hooks.json", hooks);
    const bundle = world.write("market/plugins/toolgate/dist/hook.cjs", obedient);
    world.write("market/plugins/toolgate/dist/hook.sh", readFileSync("src/surfaces/hook/hook.sh", "utf8"));
    const env = { PATH: `${process.execPath.replace(/\/node$/, "")}:/usr/bin:/bin` };
    const alone = await examine(world, env);
    expect(alone.about("hooks-installed")).toEqual([
      expect.objectContaining({ level: "ok", message: expect.stringContaining(file) }),
    ]);
    expect(alone.about("canary")).toEqual([expect.objectContaining({ level: "ok" })]);
    expect(alone.ok).toBe(true);
    await world.run((io) => runInstall({ agent: "claude-code", bundle, force: true }, io));
    expect((await examine(world, env)).about("hooks-installed")).toEqual([
      expect.objectContaining({ level: "warning", message: expect.stringContaining("2 times") }),
    ]);
  });
});

describe("toolgate doctor on the rules", () => {
  it("tells problems with their place, and what an untrusted file does not get", async () => {
    const world = await installed();
    const broken = world.write("home/.config/toolgate/config.yaml", "routes:\n  x: {tool: Bash}\n");
    const problem = await examine(world);
    expect(problem.ok).toBe(false);
    expect(problem.about("configuration")[0]).toMatchObject({
      level: "problem",
      message: expect.stringContaining(`${broken}:2`),
    });
    rmSync(broken);
    world.write("project/toolgate.yaml", "routes:\n  x: {tool: Bash, pattern: '^ls$', action: allow}\n");
    const untrusted = await examine(world);
    expect(untrusted.ok).toBe(true);
    expect(untrusted.about("trust")).toEqual([
      expect.objectContaining({
        level: "warning",
        todo: expect.stringContaining("toolgate trust toolgate.yaml"),
      }),
    ]);
  });
});

describe("toolgate doctor on MCP servers that the agent has itself", () => {
  const files = { command: "/usr/bin/npx", args: ["-y", "server-files", "/w"] };
  const wiki = { type: "http", url: "https://wiki.example/mcp" };
  const upstreams = {
    files: { command: "npx", args: ["-y", "server-files", "/w"] },
    knowledge: { url: "https://wiki.example/mcp/" },
    off: { command: "off", enabled: false },
  };

  it("warns of each that is an upstream here, too", async () => {
    const world = await installed();
    world.write("home/.config/toolgate/config.yaml", JSON.stringify({ upstreams }));
    world.write("home/.claude.json", { mcpServers: { wiki, off: { command: "off" } } });
    world.write("project/.mcp.json", { mcpServers: { "a b": files, notes: { command: "notes" } } });
    const { about } = await examine(world);
    expect(about("direct-servers")).toEqual([
      {
        check: "direct-servers",
        level: "warning",
        message:
          "Claude Code has the MCP server a b itself (.mcp.json), past the gate, though it is the upstream files here.",
        todo: "take it out of .mcp.json",
      },
      {
        check: "direct-servers",
        level: "warning",
        message: expect.stringContaining("it is the upstream knowledge here"),
        todo: "claude mcp remove wiki",
      },
    ]);
  });

  it("warns of all of them where toolgate is its MCP server, and of none where it is not", async () => {
    const world = await installed();
    const notes = { command: "notes" };
    world.write("home/.claude.json", { projects: { [world.project]: { mcpServers: { notes } } } });
    world.write("home/.config/Claude/claude_desktop_config.json", { mcpServers: { desktop: notes } });
    expect((await examine(world)).about("direct-servers")).toEqual([]);
    world.write("project/.mcp.json", { mcpServers: { gate: { command: "toolgate", args: ["mcp"] } } });
    expect((await examine(world)).about("direct-servers")).toEqual([
      expect.objectContaining({
        level: "warning",
        message: expect.stringContaining("notes itself"),
        todo: "toolgate upstreams import claude notes, then: claude mcp remove notes",
      }),
    ]);
  });
});

describe("toolgate doctor on the machine", () => {
  it("wants a Node that is new enough", () => {
    expect(checkNode("22.18.0").level).toBe("ok");
    expect(checkNode("24.0.0").level).toBe("ok");
    expect(checkNode("22.17.9").level).toBe("problem");
    expect(checkNode("18.20.0").level).toBe("problem");
  });

  it("wants folders that are its own, private and writable", () => {
    const world = createWorld();
    const folder = world.path("home/state");
    expect(checkFolder("state", folder).level).toBe("ok");
    mkdirSync(folder, { mode: 0o700 });
    expect(checkFolder("state", folder)).toMatchObject({
      level: "ok",
      message: expect.stringContaining("private"),
    });
    chmodSync(folder, 0o755);
    expect(checkFolder("state", folder)).toMatchObject({
      level: "warning",
      todo: `Run: chmod 700 ${folder}`,
    });
    chmodSync(folder, 0o777);
    expect(checkFolder("cache", folder)).toMatchObject({ check: "cache-folder", level: "problem" });
    world.write("home/file", "");
    expect(checkFolder("state", world.path("home/file")).level).toBe("problem");
    expect(checkFolder("state", world.path("home/file/below")).level).toBe("problem");
  });

  it("asks a claude on the PATH about its plugins, but none that a repository brings along", async () => {
    const world = await installed();
    const fake = (errors: string) =>
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "2.1.325 (Claude Code)"; else echo '[{"id":"guard@market","errors":${errors}}]'; fi\n`;
    chmodSync(world.write("bin/claude", fake('["hooks.json is wrong"]')), 0o755);
    chmodSync(world.write("project/node_modules/.bin/claude", "#!/bin/sh\ntouch ran\n"), 0o755);
    const path = `${world.path("project/node_modules/.bin")}:${world.path("bin")}:/usr/bin:/bin`;
    const broken = await examine(world, { PATH: path });
    expect(broken.ok).toBe(false);
    expect(broken.about("client")[0]).toMatchObject({
      level: "ok",
      message: expect.stringContaining("2.1.325"),
    });
    expect(broken.about("client-plugins")).toEqual([
      expect.objectContaining({
        level: "problem",
        message: expect.stringContaining("guard@market: hooks.json is wrong"),
      }),
    ]);
    expect(readdirSync(world.project)).not.toContain("ran");
    chmodSync(world.write("bin/claude", fake("[]")), 0o755);
    expect((await examine(world, { PATH: path })).ok).toBe(true);
    chmodSync(world.write("bin/claude", "#!/bin/sh\necho rubbish\n"), 0o755);
    expect((await examine(world, { PATH: path })).ok).toBe(true);
  });

  it("does without a claude on the PATH", async () => {
    const { about } = await examine(await installed(), { PATH: "/nowhere" });
    expect(about("client")).toEqual([expect.objectContaining({ level: "info" })]);
  });
});
