import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isToolgate } from "../../../../src/surfaces/cli/commands/upstreams/is-toolgate.ts";
import { useCliWorld } from "./cli-world.ts";
import { says } from "./expect-end.ts";

const own = { ports: ["4655", "5000"], hosts: ["gate.example.com"] };

describe("an MCP server of another program is toolgate itself", () => {
  it.each([
    ["toolgate", "mcp"],
    ["toolgate", "mcp", "--workspace", "/w"],
    ["/usr/local/bin/toolgate", "mcp"],
    ["C:\\Users\\Ann Lee\\npm\\toolgate.cmd", "mcp"],
    ["npx", "-y", "toolgate", "mcp"],
    ["npx", "-y", "toolgate@0.1.0", "mcp"],
    ["npx", "--package", "toolgate@latest", "--", "toolgate", "mcp"],
    ["node", "/x/node_modules/.bin/toolgate", "mcp"],
    ["bunx", "toolgate", "mcp"],
    ["sh", "-c", "cd /w && exec toolgate mcp --no-wait"],
    ["node", join(process.cwd(), "dist/cli.js"), "mcp"],
  ])("when its command is %s %s %s %s", (command, ...args) => {
    expect(isToolgate({ command, args }, own)).toBe(true);
  });

  it.each([
    ["toolgate", "serve"],
    ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/ann/toolgate"],
    ["npx", "-y", "server-filesystem", "/home/ann/toolgate", "/home/ann/mcp"],
    ["my-toolgate", "mcp"],
    ["node", "/nowhere/dist/cli.js", "mcp"],
    ["toolgate-notes", "mcp"],
  ])("not when it is %s %s %s", (command, ...args) => {
    expect(isToolgate({ command, args }, own)).toBe(false);
  });

  it.each([
    "http://127.0.0.1:4655/mcp",
    "http://localhost:5000/mcp/",
    "http://[::1]:4655/mcp",
    "https://gate.example.com/mcp",
  ])("when its address is %s", (url) => {
    expect(isToolgate({ url }, own)).toBe(true);
  });

  it.each([
    "http://127.0.0.1:4656/mcp",
    "http://127.0.0.1:4655/other",
    "http://192.168.0.2:4655/mcp",
    "https://evil.example/mcp?x=gate.example.com",
    "not an address",
  ])("not when it is %s", (url) => {
    expect(isToolgate({ url }, own)).toBe(false);
  });
});

describe("toolgate upstreams import", () => {
  const world = useCliWorld();

  const notes = { command: "notes-mcp" };
  const entries = { toolgate: { command: "npx", args: ["-y", "toolgate", "mcp"] }, notes };

  it.each([
    ["claude", ".mcp.json", JSON.stringify({ mcpServers: entries })],
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.toolgate]\ncommand = "npx"\nargs = ["-y", "toolgate", "mcp"]\n[mcp_servers.notes]\ncommand = "notes-mcp"\n',
    ],
  ])("of %s leaves toolgate itself out, and says so", async (from, file, text) => {
    world.file(file, text);
    await says(
      world.run(["upstreams", "import", from, "--dry-run"]),
      "- toolgate is left out: it is toolgate itself\n",
      "command: notes-mcp",
    );
  });

  it("of a server that is not there names those that are, and fails", async () => {
    world.file(".codex/config.toml", '[mcp_servers.notes]\ncommand = "notes-mcp"\n');
    const one = await world.run("upstreams import codex nosuch --dry-run");
    expect(one).toMatchObject({ code: 1, out: "" });
    expect(one.err).toContain('codex has no MCP server "nosuch". It has: notes.\n');
    const none = await world.run("upstreams import cursor nosuch --dry-run");
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining("No MCP server was found.") });
  });

  it("knows the address that the configuration gives to the server, and that of one that runs", async () => {
    world.configure("server: { port: 7001 }\n");
    const address = "toolgate-hook 2 127.0.0.1 7002 token key end\n";
    world.inHome(".local/state/toolgate/hook.addr", address);
    const at = (port: number) => ({ type: "http", url: `http://localhost:${port}/mcp` });
    world.file(".mcp.json", JSON.stringify({ mcpServers: { a: at(7001), b: at(7002), c: at(7003) } }));
    const { upstreams, left } = (await world.json("upstreams import claude --dry-run")) as Record<
      string,
      { name: string }[]
    >;
    expect(left?.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(upstreams?.map(({ name }) => name)).toEqual(["c"]);
  });
});
