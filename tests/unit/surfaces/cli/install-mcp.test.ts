/** `install --mcp`: an agent's MCP servers go behind the gate, and come back with uninstall. */
import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { mcpAgents } from "../../../../src/agents/mcp-servers/mcp-places.ts";
import type { InstallOptions } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";
import { useInstallWorld } from "./install-world.ts";

/** Each agent's own file, written as people write it. Some hold the hooks, too. */
const files: Readonly<Record<string, { readonly file: string; readonly text: string }>> = {
  "claude-code": {
    file: "home/.claude.json",
    text: '{\n  "numStartups": 7,\n  "mcpServers": {\n    "github": { "command": "gh-mcp", "args": ["--stdio"], "env": { "GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } },\n    "docs": { "type": "http", "url": "https://docs.example/mcp" }\n  },\n  "tipsHistory": {}\n}\n',
  },
  codex: {
    file: "home/.codex/config.toml",
    text: '# mine\nmodel = "x"\n\n[mcp_servers.github] # work\ncommand = "gh-mcp"\nargs = ["--stdio"]\n\n[mcp_servers.github.env]\nGITHUB_TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"\n\n[mcp_servers.docs]\nurl = "https://docs.example/mcp"\n\n[tui]\ntheme = "dark"\n',
  },
  gemini: {
    file: "home/.gemini/settings.json",
    text: '{\n\t"mcpServers": {\n\t\t"github": {"command": "gh-mcp", "args": ["--stdio"], "env": {"GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}},\n\t\t"docs": {"httpUrl": "https://docs.example/mcp"}\n\t}\n}',
  },
  qwen: {
    file: "home/.qwen/settings.json",
    text: '{"$version": 3, "mcpServers": {"github": {"command": "gh-mcp", "args": ["--stdio"], "env": {"GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345"}}, "docs": {"httpUrl": "https://docs.example/mcp"}}}\n',
  },
  copilot: {
    file: "home/.copilot/mcp-config.json",
    text: '{\n  "mcpServers": {\n    "github": { "type": "local", "command": "gh-mcp", "args": ["--stdio"], "env": { "GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" }, "tools": ["*"] },\n    "docs": { "type": "http", "url": "https://docs.example/mcp", "tools": ["*"] }\n  }\n}\n',
  },
  opencode: {
    file: "home/.config/opencode/opencode.jsonc",
    text: '{\n  // mine\n  "model": "x",\n  "mcp": {\n    "github": { "type": "local", "command": ["gh-mcp", "--stdio"], "environment": { "GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } },\n    "docs": { "type": "remote", "url": "https://docs.example/mcp" },\n  },\n}\n',
  },
  cline: {
    file: "home/.cline/data/settings/cline_mcp_settings.json",
    text: '{\n  "mcpServers": {\n    "github": { "command": "gh-mcp", "args": ["--stdio"], "env": { "GITHUB_TOKEN": "ghp_0123456789abcdefghijABCDEFGHIJ012345" }, "autoApprove": [] },\n    "docs": { "type": "streamableHttp", "url": "https://docs.example/mcp" }\n  }\n}\n',
  },
};

const world = useInstallWorld();

function install(names: readonly string[], options: Partial<InstallOptions> = {}) {
  for (const name of ["hook/hook.sh", "cli.js"]) world.write(`toolgate/dist/${name}`, "");
  return world.install({ agents: names, mcp: true, yes: true, trust: true, ...options });
}

const uninstall = (names: readonly string[]) => world.uninstall({ agents: names });
const config = "home/.config/toolgate/config.yaml";
const upstreams = () => parseYaml(world.text(config)).upstreams;

/** Puts the agent's own file there; its name. */
function writeFileOf(agent: string, content: unknown = files[agent]?.text): string {
  const { file = "" } = files[agent] ?? {};
  world.write(file, content);
  return file;
}

/** Every file below the home, with its bytes. */
function home(): Record<string, string> {
  const isFile = (name: string) => statSync(world.path("home", name)).isFile();
  return Object.fromEntries(
    world
      .names("home")
      .filter(isFile)
      .map((name) => [name, world.text(`home/${name}`)]),
  );
}

describe("install --mcp", () => {
  it("knows the files of every agent that it is tried with", () => {
    expect(Object.keys(files).sort()).toEqual([...mcpAgents()].sort());
  });

  it.for(Object.keys(files))(
    "%s: puts toolgate in the place of its servers, and uninstall brings back every byte",
    async (name) => {
      const file = writeFileOf(name);
      const before = home();
      await expectEnd(install([name]), { err: "", never: "ghp_0123456789" });
      const now = world.text(file);
      expect(now).toContain(world.path("toolgate/dist/cli.js"));
      for (const gone of ["gh-mcp", "docs.example", "ghp_"]) expect(now).not.toContain(gone);
      const env = { GITHUB_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" };
      const github = { command: "gh-mcp", args: ["--stdio"], env };
      expect(upstreams()).toEqual({ github, docs: { url: "https://docs.example/mcp" } });
      expect(statSync(world.path(config)).mode & 0o077).toBe(0);
      const once = home();
      await says(install([name]));
      expect(home()).toEqual(once);
      await says(uninstall([name]));
      expect(home()).toEqual(before);
    },
  );

  it.for(Object.keys(files))(
    "%s: brings its servers back also where the agent has rewritten the file since",
    async (name) => {
      const file = writeFileOf(name);
      await install([name]);
      const now = world.text(file);
      const rewritten = file.endsWith(".toml")
        ? `${now.replaceAll(" = ", "=")}\n[new]\nx = 1\n`
        : now.replace(/^\{/, '{"new": 1,').replaceAll(/: (?=["[{])/g, ":");
      world.write(file, rewritten);
      await says(uninstall([name]));
      for (const back of ["gh-mcp", "docs.example", "ghp_", "new"]) expect(world.text(file)).toContain(back);
      expect(world.text(file)).not.toContain("dist/cli.js");
      expect(world.exists(config)).toBe(false);
    },
  );

  it("leaves servers where they are that it cannot reach or that are switched off, and says why", async () => {
    const old = { type: "sse", url: "https://old.example/sse" };
    const file = writeFileOf("cline", { mcpServers: { old, off: { command: "x", disabled: true } } });
    await says(
      install(["cline"]),
      "note: old stays where it is: it speaks the old HTTP+SSE transport",
      "note: off stays where it is: it is switched off.",
    );
    expect(Object.keys(world.json(file).mcpServers)).toEqual(["old", "off", "toolgate"]);
    expect(world.exists(config)).toBe(false);
  });

  it("leaves servers of which the agent offers only some tools, or to which it signs in", async () => {
    const command = "x";
    writeFileOf("copilot", {
      mcpServers: { some: { command, tools: ["look"] }, all: { command, tools: ["*"] } },
    });
    const gemini = writeFileOf("gemini", {
      mcpServers: {
        some: { command, includeTools: ["look"] },
        odd: { command, excludeTools: ["drop(*)"] },
        signed: { httpUrl: "https://docs.example/mcp", oauth: { enabled: true } },
        less: { command, excludeTools: ["drop"] },
      },
    });
    await says(install(["copilot", "gemini"]));
    expect(upstreams()).toEqual({ all: { command }, less: { command, tools: { drop: { enabled: false } } } });
    expect(Object.keys(world.json(gemini).mcpServers)).toEqual(["some", "odd", "signed", "toolgate"]);
  });

  it.for([
    ["gemini", { mcpServers: { x: { command: "x" } }, mcp: { excluded: ["x"] } }],
    ["gemini", { mcpServers: { x: { command: "x" } }, mcp: { allowed: ["x"] } }],
    ["opencode", { mcp: { x: { type: "local", command: ["x"] } }, tools: { "x_*": false } }],
  ] as const)(
    "leaves all servers of %s where the file says which of them count: %j",
    async ([agent, own]) => {
      const file = writeFileOf(agent, own);
      await says(install([agent]), /"(?:mcp\.\w+|tools)" in .* says which of them count/);
      expect(world.exists(config)).toBe(false);
      const { mcp, mcpServers } = world.json(file);
      const before: { mcp?: object; mcpServers?: object } = own;
      expect({ mcp, mcpServers }).toEqual({ mcp: before.mcp, mcpServers: before.mcpServers });
    },
  );

  it("writes what an agent fills in as the configuration does, and leaves what only the agent can", async () => {
    const value = (name: string) => `\${${name}}`;
    writeFileOf("gemini", {
      mcpServers: { one: { command: "$TOOLS/x", env: { KEY: "$MY_KEY", OTHER: value("MY_OTHER") } } },
    });
    writeFileOf("opencode", {
      mcp: {
        two: { type: "local", command: ["{env:TOOLS}/x"], environment: { KEY: "{env:MY_KEY}" } },
        three: { type: "local", command: ["x"], environment: { KEY: "{file:~/.key}" } },
      },
    });
    await says(install(["gemini", "opencode"]));
    expect(upstreams()).toEqual({
      one: { command: `${value("TOOLS")}/x`, env: { KEY: value("MY_KEY"), OTHER: value("MY_OTHER") } },
      two: { command: `${value("TOOLS")}/x`, env: { KEY: value("MY_KEY") } },
    });
  });

  it("keeps what another agent still reaches, and takes it with the last one", async () => {
    for (const name of ["gemini", "cline"]) writeFileOf(name);
    world.write(config, "# mine\nversion: 1\n");
    const before = home();
    await install(["gemini"]);
    await install(["cline"]);
    expect(Object.keys(upstreams())).toEqual(["github", "docs"]);
    await says(uninstall(["gemini"]), "another agent reaches them by toolgate");
    expect(Object.keys(upstreams())).toEqual(["github", "docs"]);
    await uninstall(["cline"]);
    expect(home()).toEqual(before);
  });

  it("does not touch a server of another name that is in the configuration already", async () => {
    world.write(config, "version: 1\nupstreams:\n  github:\n    command: other\n");
    const file = writeFileOf("cline");
    await says(install(["cline"]), "note: github stays where it is: there is one of that name already");
    expect(upstreams().github).toEqual({ command: "other" });
    expect(world.text(file)).toContain("gh-mcp");
  });

  it("leaves an entry of toolgate that a person wrote", async () => {
    const file = writeFileOf("cline", { mcpServers: { gate: { command: "toolgate", args: ["mcp"] } } });
    const before = world.text(file);
    await says(install(["cline"]));
    expect(world.text(file)).toBe(before);
    await uninstall(["cline"]);
    expect(world.text(file)).toBe(before);
  });

  it("writes nothing with --dry-run, and shows no secret", async () => {
    writeFileOf("codex");
    const before = home();
    const shown = { out: "[mcp_servers.toolgate]", never: "ghp_0123456789" };
    await expectEnd(install(["codex"], { dryRun: true }), shown);
    expect(home()).toEqual(before);
  });

  it("leaves the servers of a project where everybody has them", async () => {
    const file = writeFileOf("cline");
    const note = "note: MCP servers in a project's file are everybody's";
    await says(install(["cline"], { scope: "project" }), note);
    expect(world.text(file)).toBe(files.cline?.text);
  });

  it("changes nothing in a file that it cannot read", async () => {
    const file = writeFileOf("copilot", "{ broken");
    await refuses(install(["copilot"]), "it is not valid JSON");
    expect(world.text(file)).toBe("{ broken");
  });
});
