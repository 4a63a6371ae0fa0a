import { describe, expect, it } from "vitest";
import { findServers } from "../../../../src/agents/mcp-servers/find-servers.ts";
import type { ServerOwner } from "../../../../src/agents/mcp-servers/server-owners.ts";
import { createWorld } from "../claude-code/world.ts";

function place() {
  const { write, home, project } = createWorld();
  const request = { home, projectDir: project, env: {}, platform: "linux" } as const;
  return { write, project, find: (owner: ServerOwner) => findServers(owner, request) };
}
const server = (command: string) => ({ [command]: { command } });
const variable = (name: string) => `\${${name}}`;

describe("servers of other programs", () => {
  it("are found for Claude in the project, in its file of the user, and for the desktop", () => {
    const { write, project, find } = place();
    write("project/.mcp.json", { mcpServers: { a: { command: "a", args: ["-x"] } } });
    write("home/.claude.json", {
      mcpServers: { b: { type: "http", url: "https://b.example/mcp", headers: { H: "1" } } },
      projects: {
        [project]: { mcpServers: server("c") },
        "/else": { mcpServers: server("d") },
      },
    });
    write("home/.config/Claude/claude_desktop_config.json", { mcpServers: server("e") });
    const { servers, problems } = find("claude");
    expect(servers.map(({ name }) => name)).toEqual(["a", "c", "b", "e"]);
    expect(servers[2]).toMatchObject({ url: "https://b.example/mcp", headers: { H: "1" } });
    expect(problems).toEqual([]);
  });

  it("are found for Cursor, whose placeholders become ours", () => {
    const { write, project, find } = place();
    const folder = `${variable("workspaceFolder")}/x`;
    const args = ["--dir", folder, `--name=${variable("workspaceFolderBasename")}`];
    write("home/.cursor/mcp.json", {
      mcpServers: { a: { command: "a", args, env: { K: variable("env:KEY") } } },
    });
    expect(find("cursor").servers[0]).toMatchObject({
      args: ["--dir", `${project}/x`, "--name=project"],
      env: { K: variable("KEY") },
    });
  });

  it("are found for VS Code, comments and trailing commas included", () => {
    const { write, find } = place();
    write(
      "project/.vscode/mcp.json",
      `{ // mine\n "servers": { "git//hub": { "url": "https://x.example/mcp", /* why */ "headers": { "Authorization": "Bearer ${variable("input:github-token")}", }, }, }, }`,
    );
    write("home/.config/Code/User/settings.json", {
      mcp: { servers: { b: { type: "sse", url: "http://b" } } },
    });
    const { servers } = find("vscode");
    expect(servers[0]).toMatchObject({
      name: "git//hub",
      headers: { Authorization: `Bearer ${variable("GITHUB_TOKEN")}` },
    });
    expect(servers[1]?.unusable).toContain("old HTTP+SSE transport");
  });

  it("are found for Codex in its TOML", () => {
    const { write, find } = place();
    write(
      "home/.codex/config.toml",
      `[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\nstartup_timeout_sec = 20\ndisabled_tools = ["drop"]\n[mcp_servers.docs.env]\nA = "1"\n[mcp_servers.web]\nurl = "https://w.example/mcp"\nbearer_token_env_var = "WEB_TOKEN"\nenabled = false\n`,
    );
    const limits = { startTimeoutMs: 20_000, disabledTools: ["drop"] };
    expect(find("codex").servers).toMatchObject([
      { name: "docs", command: "npx", args: ["-y", "docs"], env: { A: "1" }, ...limits },
      { name: "web", headers: { Authorization: `Bearer ${variable("WEB_TOKEN")}` }, disabled: true },
    ]);
  });

  it("of a file that cannot be read are a problem of that file alone", () => {
    const { write, find } = place();
    write("project/.mcp.json", "{ nonsense");
    write("home/.claude.json", { mcpServers: server("b") });
    const { servers, problems } = find("claude");
    expect(servers.map(({ name }) => name)).toEqual(["b"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(".mcp.json cannot be read");
  });

  it("of a file that is looked at twice are one problem", () => {
    const { write, find } = place();
    write("home/.claude.json", "{ nonsense");
    expect(find("claude").problems).toHaveLength(1);
  });

  it("of Codex whose args are no list are not taken for servers without args", () => {
    const { write, find } = place();
    write("home/.codex/config.toml", '[mcp_servers.a]\ncommand = "a"\nargs = "-x"\n');
    expect(find("codex").servers).toMatchObject([{ name: "a", unusable: "its args are not a list" }]);
  });
});
