/** `install --mcp`: an agent's MCP servers go behind the gate, and come back with uninstall. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { mcpAgents } from "../../../../src/agents/mcp-servers/mcp-places.ts";
import { type InstallOptions, runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { runUninstall } from "../../../../src/surfaces/cli/commands/install/uninstall.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

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

function install(world: World, names: readonly string[], options: Partial<InstallOptions> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  for (const name of ["hook/hook.sh", "cli.js"]) world.write(`toolgate/dist/${name}`, "");
  return world.run((io) =>
    runInstall({ agents: names, bundle, mcp: true, yes: true, trust: true, ...options }, io),
  );
}

const uninstall = (world: World, names: readonly string[]) =>
  world.run((io) => runUninstall({ agents: names }, io));
const config = (world: World) => world.path("home/.config/toolgate/config.yaml");
const upstreams = (world: World) =>
  (parseYaml(readFileSync(config(world), "utf8")) as { upstreams: Record<string, Record<string, unknown>> })
    .upstreams;

/** Every file below the home, with its bytes. */
function home(world: World): Record<string, string> {
  const all = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    all
      .map((one) => join(one.parentPath, one.name))
      .sort()
      .map((file) => [file, readFileSync(file, "utf8")]),
  );
}

describe("install --mcp", () => {
  it("knows the files of every agent that it is tried with", () => {
    expect(Object.keys(files).sort()).toEqual([...mcpAgents()].sort());
  });

  it.each(Object.keys(files))(
    "%s: puts toolgate in the place of its servers, and uninstall brings back every byte",
    async (name) => {
      const world = createWorld();
      const { file = "", text = "" } = files[name] ?? {};
      world.write(file, text);
      const before = home(world);
      const { code, out, err } = await install(world, [name]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).not.toContain("ghp_0123456789");
      const now = readFileSync(world.path(file), "utf8");
      expect(now).toContain(world.path("toolgate/dist/cli.js"));
      for (const gone of ["gh-mcp", "docs.example", "ghp_"]) expect(now).not.toContain(gone);
      expect(upstreams(world)).toEqual({
        github: {
          command: "gh-mcp",
          args: ["--stdio"],
          env: { GITHUB_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" },
        },
        docs: { url: "https://docs.example/mcp" },
      });
      expect(statSync(config(world)).mode & 0o077).toBe(0);
      const once = home(world);
      expect((await install(world, [name])).code).toBe(0);
      expect(home(world)).toEqual(once);
      expect((await uninstall(world, [name])).code).toBe(0);
      expect(home(world)).toEqual(before);
    },
  );

  it.each(Object.keys(files))(
    "%s: brings its servers back also where the agent has rewritten the file since",
    async (name) => {
      const world = createWorld();
      const { file = "", text = "" } = files[name] ?? {};
      world.write(file, text);
      await install(world, [name]);
      const path = world.path(file);
      const now = readFileSync(path, "utf8");
      writeFileSync(
        path,
        file.endsWith(".toml")
          ? `${now.replaceAll(" = ", "=")}\n[new]\nx = 1\n`
          : now.replace(/^\{/, '{"new": 1,').replaceAll(/: (?=["[{])/g, ":"),
      );
      expect((await uninstall(world, [name])).code).toBe(0);
      const after = readFileSync(path, "utf8");
      for (const back of ["gh-mcp", "docs.example", "ghp_", "new"]) expect(after).toContain(back);
      expect(after).not.toContain("dist/cli.js");
      expect(existsSync(config(world))).toBe(false);
    },
  );

  it("leaves servers where they are that it cannot reach or that are switched off, and says why", async () => {
    const world = createWorld();
    const old = { type: "sse", url: "https://old.example/sse" };
    world.write("home/.cline/data/settings/cline_mcp_settings.json", {
      mcpServers: { old, off: { command: "x", disabled: true } },
    });
    const { code, out } = await install(world, ["cline"]);
    expect(code).toBe(0);
    expect(out).toContain("note: old stays where it is: it speaks the old HTTP+SSE transport");
    expect(out).toContain("note: off stays where it is: it is switched off.");
    const { mcpServers } = JSON.parse(
      readFileSync(world.path("home/.cline/data/settings/cline_mcp_settings.json"), "utf8"),
    ) as { mcpServers: object };
    expect(Object.keys(mcpServers)).toEqual(["old", "off", "toolgate"]);
    expect(existsSync(config(world))).toBe(false);
  });

  it("leaves servers of which the agent offers only some tools, or to which it signs in", async () => {
    const world = createWorld();
    const server = { command: "x" };
    const written = {
      copilot: { some: { ...server, tools: ["look"] }, all: { ...server, tools: ["*"] } },
      gemini: {
        some: { ...server, includeTools: ["look"] },
        odd: { ...server, excludeTools: ["drop(*)"] },
        signed: { httpUrl: "https://docs.example/mcp", oauth: { enabled: true } },
        less: { ...server, excludeTools: ["drop"] },
      },
    };
    world.write("home/.copilot/mcp-config.json", { mcpServers: written.copilot });
    world.write("home/.gemini/settings.json", { mcpServers: written.gemini });
    expect((await install(world, ["copilot", "gemini"])).code).toBe(0);
    expect(upstreams(world)).toEqual({
      all: { command: "x" },
      less: { command: "x", tools: { drop: { enabled: false } } },
    });
    const left = JSON.parse(readFileSync(world.path("home/.gemini/settings.json"), "utf8")) as {
      mcpServers: object;
    };
    expect(Object.keys(left.mcpServers)).toEqual(["some", "odd", "signed", "toolgate"]);
  });

  it.for([
    [
      "gemini",
      "home/.gemini/settings.json",
      { mcpServers: { x: { command: "x" } }, mcp: { excluded: ["x"] } },
    ],
    [
      "gemini",
      "home/.gemini/settings.json",
      { mcpServers: { x: { command: "x" } }, mcp: { allowed: ["x"] } },
    ],
    [
      "opencode",
      "home/.config/opencode/opencode.json",
      { mcp: { x: { type: "local", command: ["x"] } }, tools: { "x_*": false } },
    ],
  ] as const)(
    "leaves all servers of %s where the file says which of them count: %s",
    async ([agent, file, text]) => {
      const world = createWorld();
      const before = readFileSync(world.write(file, text), "utf8");
      const { code, out } = await install(world, [agent]);
      expect([code, existsSync(config(world))]).toEqual([0, false]);
      expect(out).toMatch(/"(?:mcp\.\w+|tools)" in .* says which of them count/);
      const section = (all: string) => {
        const { mcp, mcpServers } = JSON.parse(all) as Record<string, unknown>;
        return { mcp, mcpServers };
      };
      expect(section(readFileSync(world.path(file), "utf8"))).toEqual(section(before));
    },
  );

  it("writes what an agent fills in as the configuration does, and leaves what only the agent can", async () => {
    const world = createWorld();
    const value = (name: string) => `\${${name}}`;
    world.write("home/.gemini/settings.json", {
      mcpServers: { one: { command: "$TOOLS/x", env: { KEY: "$MY_KEY", OTHER: value("MY_OTHER") } } },
    });
    const environment = { KEY: "{env:MY_KEY}" };
    world.write("home/.config/opencode/opencode.json", {
      mcp: {
        two: { type: "local", command: ["{env:TOOLS}/x"], environment },
        three: { type: "local", command: ["x"], environment: { KEY: "{file:~/.key}" } },
      },
    });
    expect((await install(world, ["gemini", "opencode"])).code).toBe(0);
    expect(upstreams(world)).toEqual({
      one: { command: `${value("TOOLS")}/x`, env: { KEY: value("MY_KEY"), OTHER: value("MY_OTHER") } },
      two: { command: `${value("TOOLS")}/x`, env: { KEY: value("MY_KEY") } },
    });
  });

  it("keeps what another agent still reaches, and takes it with the last one", async () => {
    const world = createWorld();
    for (const name of ["gemini", "cline"]) world.write(files[name]?.file ?? "", files[name]?.text ?? "");
    world.write("home/.config/toolgate/config.yaml", "# mine\nversion: 1\n");
    const before = home(world);
    await install(world, ["gemini"]);
    await install(world, ["cline"]);
    expect(Object.keys(upstreams(world))).toEqual(["github", "docs"]);
    expect((await uninstall(world, ["gemini"])).out).toContain("another agent reaches them by toolgate");
    expect(Object.keys(upstreams(world))).toEqual(["github", "docs"]);
    await uninstall(world, ["cline"]);
    expect(home(world)).toEqual(before);
  });

  it("does not touch a server of another name that is in the configuration already", async () => {
    const world = createWorld();
    world.write(
      "home/.config/toolgate/config.yaml",
      "version: 1\nupstreams:\n  github:\n    command: other\n",
    );
    world.write(files.cline?.file ?? "", files.cline?.text ?? "");
    const { out } = await install(world, ["cline"]);
    expect(out).toContain("note: github stays where it is: there is one of that name already");
    expect(upstreams(world).github).toEqual({ command: "other" });
    expect(readFileSync(world.path(files.cline?.file ?? ""), "utf8")).toContain("gh-mcp");
  });

  it("leaves an entry of toolgate that a person wrote", async () => {
    const world = createWorld();
    const mine = { mcpServers: { gate: { command: "toolgate", args: ["mcp"] } } };
    const path = world.write(files.cline?.file ?? "", mine);
    const before = readFileSync(path, "utf8");
    expect((await install(world, ["cline"])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(before);
    await uninstall(world, ["cline"]);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("writes nothing with --dry-run, and shows no secret", async () => {
    const world = createWorld();
    world.write(files.codex?.file ?? "", files.codex?.text ?? "");
    const before = home(world);
    const { code, out } = await install(world, ["codex"], { dryRun: true });
    expect(code).toBe(0);
    expect(out).toContain("[mcp_servers.toolgate]");
    expect(out).not.toContain("ghp_0123456789");
    expect(home(world)).toEqual(before);
  });

  it("leaves the servers of a project where everybody has them", async () => {
    const world = createWorld();
    world.write(files.cline?.file ?? "", files.cline?.text ?? "");
    const before = readFileSync(world.path(files.cline?.file ?? ""), "utf8");
    const { code, out } = await install(world, ["cline"], { scope: "project" });
    expect(code).toBe(0);
    expect(out).toContain("note: MCP servers in a project's file are everybody's");
    expect(readFileSync(world.path(files.cline?.file ?? ""), "utf8")).toBe(before);
  });

  it("changes nothing in a file that it cannot read", async () => {
    const world = createWorld();
    const path = world.write(files.copilot?.file ?? "", "{ broken");
    const { code, err } = await install(world, ["copilot"]);
    expect(code).toBe(1);
    expect(err).toContain("it is not valid JSON");
    expect(readFileSync(path, "utf8")).toBe("{ broken");
  });
});
