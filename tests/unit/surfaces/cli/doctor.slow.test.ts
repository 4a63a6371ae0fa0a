import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runDoctor } from "../../../../src/surfaces/cli/commands/doctor/doctor.ts";
import { checkFolder, checkNode } from "../../../../src/surfaces/cli/commands/doctor/machine.ts";
import { runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { createWorld } from "../../agents/claude-code/world.ts";
import { examine, finding, installed, obedient, settings } from "./doctor-world.ts";
import { expectEnd, refuses } from "./expect-end.ts";

describe("toolgate doctor", () => {
  it("finds everything in place after an installation", async () => {
    const world = await installed();
    const { ok, findings, about } = await examine(world);
    expect(findings.filter(({ level }) => level === "problem" || level === "warning")).toEqual([]);
    expect(ok).toBe(true);
    expect(about("hooks-installed")[0]?.message).toContain(world.path(settings));
    expect(about("canary")).toEqual([finding("ok")]);
  });

  it("looks at one agent alone when it is named, and says which ones there are", async () => {
    const world = await installed();
    const { code, out } = await world.run((io) =>
      runDoctor({ agent: "claude-code", json: true, managedDir: world.managedDir }, io),
    );
    const { findings } = JSON.parse(out) as { findings: { check: string; agent?: string }[] };
    expect(code).toBe(0);
    expect(new Set(findings.map(({ agent }) => agent))).toEqual(new Set(["claude-code"]));
    expect(findings.map(({ check }) => check)).toContain("canary");
    await refuses(
      world.run((io) => runDoctor({ agent: "claude-cod" }, io)),
      "Did you mean claude-code?",
    );
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
    expect((await examine(world)).about("canary")).toEqual([finding("ok")]);
    expect(readdirSync(world.home, { recursive: true })).toEqual(before);
    expect(readdirSync(world.path("tmp"))).toEqual([]);
  });
});

describe("toolgate doctor on hooks", () => {
  it.for([
    ["crashes", "process.exit(1)", "problem", "another reason than the rule it was given"],
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
    ["is noisy", `${obedient}; console.error("hello");`, "warning", "should be silent: hello"],
    [
      "blocks what no rule concerns",
      `${obedient}; process.exitCode = 2`,
      "warning",
      "that no rule of yours concerns was blocked",
    ],
    ["cannot be parsed", "}", "problem", "another reason than the rule it was given"],
  ] as const)("tries the installed hook and sees that it %s", async ([, hook, level, message]) => {
    const { about } = await examine(await installed(hook));
    expect(about("canary")).toEqual([
      {
        agent: "claude-code",
        check: "canary",
        level,
        message: expect.stringContaining(message),
        todo: expect.stringContaining("hook.sh"),
      },
    ]);
  });

  it("sees hooks that people wrote by hand, runs them as the client would, and calls none of them ours", async () => {
    const world = createWorld();
    world.write("toolgate/dist/hook/hook.cjs", obedient);
    const command = `"${process.execPath}" "${world.path("toolgate/dist/hook/hook.cjs")}" claude-code`;
    world.write(settings, {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command, timeout: 30, onFailure: "block" }] }] },
    });
    const { ok, about } = await examine(world);
    expect(about("canary")).toEqual([finding("ok")]);
    expect(about("hook-entry")).toEqual([finding("problem", "not the one that toolgate writes")]);
    expect(about("hooks-installed")).toEqual([]);
    expect(ok).toBe(false);
  });

  it("finds the hooks of the plugin, and warns when the settings have them too", async () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    const hooks = readFileSync("plugins/claude-code/hooks/hooks.json", "utf8");
    const file = world.write("market/plugins/toolgate/hooks/hooks.json", hooks);
    const bundle = world.write("market/plugins/toolgate/hook.cjs", obedient);
    const script = readFileSync("src/surfaces/hook/process/hook.sh", "utf8");
    chmodSync(world.write("market/plugins/toolgate/hook.sh", script), 0o755);
    const env = { PATH: `${process.execPath.replace(/\/node$/, "")}:/usr/bin:/bin` };
    const alone = await examine(world, env);
    expect(alone.about("hooks-installed")).toEqual([finding("ok", file)]);
    expect(alone.about("canary")).toEqual([finding("ok")]);
    expect(alone.ok).toBe(true);
    await world.run((io) => runInstall({ agents: ["claude-code"], bundle, force: true }, io));
    expect((await examine(world, env)).about("hooks-installed")).toEqual([finding("warning", "2 times")]);
  });
});

describe("toolgate doctor on the rules", () => {
  it("tells problems with their place, and what an untrusted file does not get", async () => {
    const world = await installed();
    const broken = world.write("home/.config/toolgate/config.yaml", "routes:\n  x: {tool: Bash}\n");
    const problem = await examine(world);
    expect(problem.ok).toBe(false);
    expect(problem.about("configuration")[0]).toEqual(finding("problem", `${broken}:2`));
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
    expect(checkFolder("state", folder)).toEqual(finding("ok", "private"));
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
    expect(broken.about("client")[0]).toEqual(finding("ok", "2.1.325"));
    expect(broken.about("client-plugins")).toEqual([finding("problem", "guard@market: hooks.json is wrong")]);
    expect(readdirSync(world.project)).not.toContain("ran");
    chmodSync(world.write("bin/claude", fake("[]")), 0o755);
    expect((await examine(world, { PATH: path })).ok).toBe(true);
    chmodSync(world.write("bin/claude", "#!/bin/sh\necho rubbish\n"), 0o755);
    expect((await examine(world, { PATH: path })).ok).toBe(true);
  });

  it("repeats what claude doctor says about its settings", async () => {
    const world = await installed();
    const said = [
      "Claude Code doctor",
      "",
      "Invalid settings",
      "- /x/settings.json › model: Expected string, but received number",
      "  Suggested fix: Use text.",
      "- /x/settings.json › hooks.Stop.0: Invalid hook matcher",
      "",
      "Remote Control",
      "- Not signed in",
    ];
    chmodSync(
      world.write(
        "bin/claude",
        `#!/bin/sh\n[ "$1" = doctor ] && cat <<'end'\n${said.join("\n")}\nend\nexit 0\n`,
      ),
      0o755,
    );
    const { ok, about } = await examine(world, { PATH: `${world.path("bin")}:/usr/bin:/bin` });
    expect(ok).toBe(false);
    expect(about("client-settings").map(({ message }) => message.split(": ").slice(1).join(": "))).toEqual([
      "/x/settings.json › model: Expected string, but received number",
      "/x/settings.json › hooks.Stop.0: Invalid hook matcher",
    ]);
  });

  it("starts no hook that an untrusted folder names, whatever it is called", async () => {
    const world = await installed();
    chmodSync(world.write("project/hook.sh", `#!/bin/sh\ntouch '${world.path("owned")}'\nexit 2\n`), 0o755);
    const command = `${world.path("project/hook.sh")} claude-code || exit 2`;
    const hook = { type: "command", command, timeout: 30, onFailure: "block", statusMessage: "toolgate" };
    world.write("project/.claude/settings.json", { hooks: { PreToolUse: [{ hooks: [hook] }] } });
    const { about } = await examine(world);
    expect(existsSync(world.path("owned"))).toBe(false);
    expect(about("folder-trust")).toEqual([finding("warning")]);
    world.write("home/.claude.json", { projects: { [world.path("")]: { hasTrustDialogAccepted: true } } });
    expect((await examine(world)).about("folder-trust")).toEqual([]);
    world.write("home/.claude.json", { projects: { [world.project]: { hasTrustDialogAccepted: true } } });
    expect((await examine(world)).about("folder-trust")).toEqual([]);
    expect(existsSync(world.path("owned"))).toBe(true);
  });

  it("does not say that everything is in place unless the client itself was stopped", async () => {
    const world = await installed();
    const said = async (path: string) => {
      const env = { HOME: world.home, PATH: path };
      const { out } = await expectEnd(
        world.run((io) => runDoctor({ managedDir: world.managedDir }, io), { env }),
        { never: "Everything is in place" },
      );
      return out;
    };
    expect(await said("/usr/bin:/bin")).toContain("Claude Code itself was not asked");
    chmodSync(world.write("bin/claude", "#!/bin/sh\necho 1.0.0; exit 0\n"), 0o755);
    expect(await said(`${world.path("bin")}:/usr/bin:/bin`)).toContain("could not be tried");
  });

  it("does without a claude on the PATH", async () => {
    const { about } = await examine(await installed(), { PATH: "/nowhere" });
    expect(about("client")).toEqual([finding("info")]);
  });
});
