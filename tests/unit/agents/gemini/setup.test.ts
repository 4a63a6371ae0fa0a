/** Gemini CLI and Qwen Code, which was made out of it, are set up in real files. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type {
  AgentSetup,
  SettingsChange,
  SetupMemory,
  SetupScope,
} from "../../../../src/agents/agent-setup.ts";
import { geminiSetup } from "../../../../src/agents/gemini/setup.ts";
import { qwenSetup } from "../../../../src/agents/qwen/setup.ts";
import { createWorld, type World } from "../claude-code/world.ts";

function remembering(): SetupMemory {
  const known = new Map<string, SettingsChange>();
  return {
    recall: (file) => known.get(file),
    remember(file, change) {
      if (change === undefined) known.delete(file);
      else known.set(file, change);
    },
  };
}

function setUp(world: World, setup: AgentSetup, env: Readonly<Record<string, string>> = {}) {
  world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash\n");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const memory = remembering();
  const request = (scope: SetupScope) => ({ ...world.request, env, memory, scope }) as const;
  return {
    install: (scope: SetupScope = "user") =>
      expect(setup.install({ ...request(scope), bundle, execPath: process.execPath })).toMatchObject({
        ok: true,
      }),
    uninstall: (scope: SetupScope = "user") =>
      expect(setup.uninstall(request(scope))).toMatchObject({ ok: true }),
    findings: () => setup.examine(request("user")).findings.map(({ level, check }) => `${level} ${check}`),
    untrusted: () => setup.findUntrusted(request("user")),
  };
}

const read = (world: World, path: string) => readFileSync(world.path(path), "utf8");

const braced = (name: string) => `\${${name}}`;

const agents = [
  ["Gemini CLI", geminiSetup, "home/.gemini/settings.json", "project/.gemini/settings.json"],
  ["Qwen Code", qwenSetup, "home/.qwen/settings.json", "project/.qwen/settings.json"],
] as const;

/** A value in the entry wins over what a project's file with variables says. */
const env = {
  BASH_ENV: "",
  SHELLOPTS: "",
  BASHOPTS: "",
  LD_PRELOAD: "",
  LD_AUDIT: "",
  LD_LIBRARY_PATH: "",
  DYLD_INSERT_LIBRARIES: "",
};

describe.for(agents)("%s's set-up", ([, setup, user, project]) => {
  it("keeps comments and layout, is there once, and is undone to the byte", () => {
    const world = createWorld();
    const before = '{\n\t// mine\n\t"theme": "dark", /* yes */\n\t"hooks": {}\n}\n';
    world.write(user, before);
    const { install, uninstall } = setUp(world, setup);
    install();
    const once = read(world, user);
    expect(once).toContain("// mine");
    expect(once).toContain("/* yes */");
    install();
    expect(read(world, user)).toBe(once);
    uninstall();
    expect(read(world, user)).toBe(before);
  });

  it("makes the file and its folder where there is none, and takes both away again", () => {
    const world = createWorld();
    for (const [scope, file] of [
      ["user", user],
      ["project", project],
    ] as const) {
      const { install, uninstall } = setUp(world, setup);
      install(scope);
      expect(existsSync(world.path(file))).toBe(true);
      uninstall(scope);
      expect(existsSync(world.path(file, ".."))).toBe(false);
    }
  });

  it("has a key in its line that no repository knows: equal lines run once, in the manner of the project's", () => {
    const [one, other] = [createWorld(), createWorld()];
    for (const world of [one, other]) setUp(world, setup).install();
    const keyIn = (world: World) => / ([\da-f]{16}) \|\| /.exec(read(world, user))?.[1];
    expect(keyIn(one)).toMatch(/^[\da-f]{16}$/);
    expect(keyIn(one)).not.toBe(keyIn(other));
  });

  it("says that everything is well, and when somebody changed an entry", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, setup);
    install();
    expect(findings()).toContain("ok hooks-installed");
    expect(findings()).not.toContain("problem hook-entry");
    world.write(user, read(world, user).replace("exit 2", "exit 0"));
    expect(findings().filter((one) => /^problem hook/.test(one))).not.toEqual([]);
  });

  it("finds the MCP servers that the agent starts or reaches by itself", () => {
    const world = createWorld();
    const mcpServers = {
      files: { command: "node", args: ["$HOME/files.mjs", braced("X")] },
      near: { httpUrl: "http://127.0.0.1:1/mcp" },
      old: { url: "http://127.0.0.1:1/sse" },
      off: { command: "never" },
    };
    world.write(user, { mcpServers, mcp: { excluded: ["off"] } });
    world.write(project, '{ "mcpServers": { "files": { "command": "other" } } } // ours');
    expect(setup.findServers(world.request)).toEqual([
      expect.objectContaining({ name: "files", file: world.path(project), command: "other" }),
      expect.objectContaining({ name: "near", file: world.path(user), url: "http://127.0.0.1:1/mcp" }),
      expect.objectContaining({ name: "old", unusable: expect.stringContaining("SSE") }),
    ]);
    world.write(project, {});
    const [files] = setup.findServers(world.request);
    expect(files?.args).toEqual([`${braced("HOME")}/files.mjs`, braced("X")]);
  });

  it("sees variables of a project that lead the hook elsewhere", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, setup);
    install();
    world.write("project/.env", "DATABASE_URL=x\nBASH_ENV=./harmless-now\n");
    expect(findings()).not.toContain("problem settings-env");
    world.write("project/.env", "DATABASE_URL=x\nexport XDG_CONFIG_HOME=./rules\n");
    expect(findings()).toContain("problem settings-env");
  });
});

describe("Gemini CLI's hooks", () => {
  it("wait for milliseconds, and have no name by which they could be switched off", () => {
    const world = createWorld();
    setUp(world, geminiSetup).install();
    const { hooks } = JSON.parse(read(world, "home/.gemini/settings.json"));
    const entry = (timeout: number) => ({ type: "command", command: expect.any(String), timeout, env });
    expect(hooks).toEqual({
      BeforeTool: [{ matcher: "*", hooks: [entry(300_000)] }],
      AfterTool: [{ matcher: "*", hooks: [entry(30_000)] }],
      BeforeAgent: [{ hooks: [entry(30_000)] }],
    });
    expect(hooks.BeforeTool[0].hooks[0].command).toMatch(
      /\/hook\.sh gemini \S+ 300 [\da-f]{16} \|\| .*exit 2; }$/,
    );
    expect(hooks.AfterTool[0].hooks[0].command).toMatch(/\/hook\.sh gemini \S+ after:30 [\da-f]{16}$/);
  });

  it("name no variable of the project: the agent would put the folder's name into the line", () => {
    const world = createWorld();
    setUp(world, geminiSetup).install("project");
    expect(read(world, "project/.gemini/settings.json")).not.toContain("$GEMINI");
  });

  it("are switched off by the last file that speaks of it", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, geminiSetup);
    install();
    world.write("project/.gemini/settings.json", '{ "hooksConfig": { "enabled": false } } // off');
    expect(findings()).toContain("problem hooks-enabled");
    world.write("etc/settings.json", { hooksConfig: { enabled: true } });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("are switched off one by one", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, geminiSetup);
    install();
    const line = JSON.parse(read(world, "home/.gemini/settings.json")).hooks.BeforeTool[0].hooks[0].command;
    world.write("project/.gemini/settings.json", { hooksConfig: { disabled: ["lint", line] } });
    expect(findings()).toContain("problem hooks-enabled");
    world.write("project/.gemini/settings.json", { hooksConfig: { disabled: ["lint"] } });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("do not run in a folder that is not trusted; the nearest folder that a person spoke of counts", () => {
    const world = createWorld();
    const { install, findings, untrusted } = setUp(world, geminiSetup);
    install();
    world.write("project/.gemini/settings.json", {});
    expect(findings()).toContain("info folder-trust");
    expect(untrusted()).toEqual([world.path("project/.gemini/settings.json")]);
    const trust = (rules: object) => world.write("home/.gemini/trustedFolders.json", rules);
    trust({ [world.path()]: "TRUST_FOLDER", [world.project]: "DO_NOT_TRUST" });
    expect(findings()).toContain("problem folder-trust");
    trust({ [world.path()]: "DO_NOT_TRUST", [world.path("project/x")]: "TRUST_PARENT" });
    expect(findings().join()).not.toContain("folder-trust");
    expect(untrusted()).toEqual([]);
  });

  it("can be followed by others that change the call", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, geminiSetup);
    install();
    const group = { hooks: [{ type: "command", command: "./change-it" }] };
    world.write("project/.gemini/settings.json", { hooks: { BeforeTool: [group] } });
    expect(findings()).toContain("warning hook-beside");
  });

  it("are where GEMINI_CLI_HOME says", () => {
    const world = createWorld();
    setUp(world, geminiSetup, { GEMINI_CLI_HOME: world.path("elsewhere") }).install();
    expect(existsSync(world.path("elsewhere/.gemini/settings.json"))).toBe(true);
  });
});

describe("Qwen Code's hooks", () => {
  it("wait for seconds: from a thousand on it would take them for milliseconds", () => {
    const world = createWorld();
    setUp(world, qwenSetup).install();
    const { hooks } = JSON.parse(read(world, "home/.qwen/settings.json"));
    const entry = (timeout: number) => ({ type: "command", command: expect.any(String), timeout, env });
    expect(hooks).toEqual({
      PreToolUse: [{ matcher: "*", hooks: [entry(300)] }],
      PostToolUse: [{ matcher: "*", hooks: [entry(30)] }],
      PostToolUseFailure: [{ matcher: "*", hooks: [entry(30)] }],
      UserPromptSubmit: [{ hooks: [entry(30)] }],
    });
  });

  it("are switched off by the last file that speaks of it", () => {
    const world = createWorld();
    const { install, findings } = setUp(world, qwenSetup);
    install();
    world.write("project/.qwen/settings.json", { disableAllHooks: true });
    expect(findings()).toContain("problem hooks-enabled");
    world.write("etc/settings.json", { disableAllHooks: false });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("are where QWEN_HOME says", () => {
    const world = createWorld();
    setUp(world, qwenSetup, { QWEN_HOME: "~/config/qwen" }).install();
    expect(existsSync(world.path("home/config/qwen/settings.json"))).toBe(true);
  });
});
