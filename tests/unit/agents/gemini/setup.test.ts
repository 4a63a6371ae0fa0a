/** Gemini CLI and Qwen Code, which was made out of it, are set up in real files. */
import { describe, expect, it } from "vitest";
import type { AgentSetup } from "../../../../src/agents/agent-setup.ts";
import { geminiSetup } from "../../../../src/agents/gemini/setup.ts";
import { qwenSetup } from "../../../../src/agents/qwen/setup.ts";
import { createWorld } from "../claude-code/world.ts";
import { installing } from "../installing.ts";

/** `findings`: each as its level and its name. */
function installed(setup: AgentSetup, env?: Parameters<typeof installing>[1]) {
  const agent = installing(setup, env);
  expect(agent.install()).toMatchObject({ ok: true });
  return { ...agent, findings: () => agent.findings().map(({ level, check }) => `${level} ${check}`) };
}

const braced = (name: string) => `\${${name}}`;

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

describe.for([
  ["Gemini CLI", geminiSetup, "home/.gemini/settings.json", "project/.gemini/settings.json"],
  ["Qwen Code", qwenSetup, "home/.qwen/settings.json", "project/.qwen/settings.json"],
] as const)("%s's set-up", ([, setup, user, project]) => {
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
    const { world, findings } = installed(setup);
    world.write("project/.env", "DATABASE_URL=x\nBASH_ENV=./harmless-now\n");
    expect(findings()).not.toContain("problem settings-env");
    world.write("project/.env", "DATABASE_URL=x\nexport XDG_CONFIG_HOME=./rules\n");
    expect(findings()).toContain("problem settings-env");
  });
});

const entry = (command: unknown, timeout: number) => ({
  hooks: [{ type: "command", command, timeout, env }],
});
const all = (command: unknown, timeout: number) => [{ matcher: "*", ...entry(command, timeout) }];

describe("Gemini CLI's hooks", () => {
  const ofProject = "project/.gemini/settings.json";

  it("wait for milliseconds, and have no name by which they could be switched off", () => {
    const { world } = installed(geminiSetup);
    expect(JSON.parse(world.read("home/.gemini/settings.json")).hooks).toEqual({
      BeforeTool: all(expect.stringMatching(/^HOOK gemini NODE 300 KEY \|\| .*exit 2; }$/), 300_000),
      AfterTool: all("HOOK gemini NODE after:30 KEY", 30_000),
      BeforeAgent: [entry(expect.any(String), 30_000)],
    });
  });

  it("name no variable of the project: the agent would put the folder's name into the line", () => {
    const { world, install } = installing(geminiSetup);
    install({ scope: "project" });
    expect(world.read(ofProject)).not.toContain("$GEMINI");
  });

  it("are switched off by the last file that speaks of it", () => {
    const { world, findings } = installed(geminiSetup);
    world.write(ofProject, '{ "hooksConfig": { "enabled": false } } // off');
    expect(findings()).toContain("problem hooks-enabled");
    world.write("etc/settings.json", { hooksConfig: { enabled: true } });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("are switched off one by one", () => {
    const { world, findings } = installed(geminiSetup);
    const { hooks } = JSON.parse(world.raw("home/.gemini/settings.json"));
    const line = hooks.BeforeTool[0].hooks[0].command;
    world.write(ofProject, { hooksConfig: { disabled: ["lint", line] } });
    expect(findings()).toContain("problem hooks-enabled");
    world.write(ofProject, { hooksConfig: { disabled: ["lint"] } });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("do not run in a folder that is not trusted; the nearest folder that a person spoke of counts", () => {
    const { world, findings, request } = installed(geminiSetup);
    const untrusted = () => geminiSetup.findUntrusted(request);
    world.write(ofProject, {});
    expect(findings()).toContain("info folder-trust");
    expect(untrusted()).toEqual([world.path(ofProject)]);
    const trust = (rules: object) => world.write("home/.gemini/trustedFolders.json", rules);
    trust({ [world.path()]: "TRUST_FOLDER", [world.project]: "DO_NOT_TRUST" });
    expect(findings()).toContain("problem folder-trust");
    trust({ [world.path()]: "DO_NOT_TRUST", [world.path("project/x")]: "TRUST_PARENT" });
    expect(findings().join()).not.toContain("folder-trust");
    expect(untrusted()).toEqual([]);
  });

  it("can be followed by others that change the call", () => {
    const { world, findings } = installed(geminiSetup);
    const group = { hooks: [{ type: "command", command: "./change-it" }] };
    world.write(ofProject, { hooks: { BeforeTool: [group] } });
    expect(findings()).toContain("warning hook-beside");
  });

  it("are where GEMINI_CLI_HOME says", () => {
    const { world } = installed(geminiSetup, ({ path }) => ({ GEMINI_CLI_HOME: path("elsewhere") }));
    expect(world.has("elsewhere/.gemini/settings.json")).toBe(true);
  });
});

describe("Qwen Code's hooks", () => {
  it("wait for seconds: from a thousand on it would take them for milliseconds", () => {
    const { world } = installed(qwenSetup);
    expect(JSON.parse(world.read("home/.qwen/settings.json")).hooks).toEqual({
      PreToolUse: all(expect.any(String), 300),
      PostToolUse: all(expect.any(String), 30),
      PostToolUseFailure: all(expect.any(String), 30),
      UserPromptSubmit: [entry(expect.any(String), 30)],
    });
  });

  it("are switched off by the last file that speaks of it", () => {
    const { world, findings } = installed(qwenSetup);
    world.write("project/.qwen/settings.json", { disableAllHooks: true });
    expect(findings()).toContain("problem hooks-enabled");
    world.write("etc/settings.json", { disableAllHooks: false });
    expect(findings()).not.toContain("problem hooks-enabled");
  });

  it("are where QWEN_HOME says", () => {
    const { world } = installed(qwenSetup, () => ({ QWEN_HOME: "~/config/qwen" }));
    expect(world.has("home/config/qwen/settings.json")).toBe(true);
  });
});
