import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findServers } from "../../../../src/agents/mcp-servers/find-servers.ts";
import type { ServerOwner } from "../../../../src/agents/mcp-servers/server-owners.ts";
import { adoptServer } from "../../../../src/surfaces/cli/commands/upstreams/adopt-server.ts";

let base: string;
const home = () => join(base, "home");
const project = () => join(base, "project");
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "toolgate-import-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(file: string, text: string | object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof text === "string" ? text : JSON.stringify(text));
}

const find = (owner: ServerOwner) =>
  findServers(owner, { home: home(), projectDir: project(), env: {}, platform: "linux" });
const variable = (name: string) => `\${${name}}`;

describe("servers of other programs", () => {
  it("are found for Claude in the project, in its file of the user, and for the desktop", () => {
    write(join(project(), ".mcp.json"), { mcpServers: { a: { command: "a", args: ["-x"] } } });
    write(join(home(), ".claude.json"), {
      mcpServers: { b: { type: "http", url: "https://b.example/mcp", headers: { H: "1" } } },
      projects: {
        [project()]: { mcpServers: { c: { command: "c" } } },
        "/else": { mcpServers: { d: { command: "d" } } },
      },
    });
    write(join(home(), ".config/Claude/claude_desktop_config.json"), { mcpServers: { e: { command: "e" } } });
    const { servers, problems } = find("claude");
    expect(servers.map(({ name }) => name)).toEqual(["a", "c", "b", "e"]);
    expect(servers[2]).toMatchObject({ url: "https://b.example/mcp", headers: { H: "1" } });
    expect(problems).toEqual([]);
  });

  it("are found for Cursor, whose placeholders become ours", () => {
    write(join(home(), ".cursor/mcp.json"), {
      mcpServers: {
        a: {
          command: "a",
          args: [
            "--dir",
            `${variable("workspaceFolder")}/x`,
            `--name=${variable("workspaceFolderBasename")}`,
          ],
          env: { K: variable("env:KEY") },
        },
      },
    });
    expect(find("cursor").servers[0]).toMatchObject({
      args: ["--dir", `${project()}/x`, "--name=project"],
      env: { K: variable("KEY") },
    });
  });

  it("are found for VS Code, comments and trailing commas included", () => {
    write(
      join(project(), ".vscode/mcp.json"),
      `{ // mine\n "servers": { "git//hub": { "url": "https://x.example/mcp", /* why */ "headers": { "Authorization": "Bearer ${variable("input:github-token")}", }, }, }, }`,
    );
    write(join(home(), ".config/Code/User/settings.json"), {
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
    write(
      join(home(), ".codex/config.toml"),
      `[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\nstartup_timeout_sec = 20\ndisabled_tools = ["drop"]\n[mcp_servers.docs.env]\nA = "1"\n[mcp_servers.web]\nurl = "https://w.example/mcp"\nbearer_token_env_var = "WEB_TOKEN"\nenabled = false\n`,
    );
    expect(find("codex").servers).toMatchObject([
      {
        name: "docs",
        command: "npx",
        args: ["-y", "docs"],
        env: { A: "1" },
        startTimeoutMs: 20_000,
        disabledTools: ["drop"],
      },
      { name: "web", headers: { Authorization: `Bearer ${variable("WEB_TOKEN")}` }, disabled: true },
    ]);
  });

  it("of a file that cannot be read are a problem of that file alone", () => {
    write(join(project(), ".mcp.json"), "{ nonsense");
    write(join(home(), ".claude.json"), { mcpServers: { b: { command: "b" } } });
    const { servers, problems } = find("claude");
    expect(servers.map(({ name }) => name)).toEqual(["b"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(".mcp.json cannot be read");
  });

  it("of a file that is looked at twice are one problem", () => {
    write(join(home(), ".claude.json"), "{ nonsense");
    expect(find("claude").problems).toHaveLength(1);
  });

  it("of Codex whose args are no list are not taken for servers without args", () => {
    write(join(home(), ".codex/config.toml"), '[mcp_servers.a]\ncommand = "a"\nargs = "-x"\n');
    expect(find("codex").servers).toMatchObject([{ name: "a", unusable: "its args are not a list" }]);
  });
});

describe("a server that is taken over", () => {
  const server = {
    name: "GitHub (Work)__x",
    file: "f",
    url: "https://x.example/mcp",
    headers: { Authorization: "Bearer sesame-open-1", "X-Mode": "fast" },
    notes: [],
  };

  it("gets a name that can be used, and variables instead of secrets", () => {
    const adopted = adoptServer(server, false);
    expect(adopted.name).toBe("github-work-x");
    expect(adopted.upstream).toEqual({
      url: "https://x.example/mcp",
      headers: { Authorization: `Bearer ${variable("GITHUB_WORK_X_AUTHORIZATION")}`, "X-Mode": "fast" },
    });
    expect(adopted.needs).toEqual(["GITHUB_WORK_X_AUTHORIZATION"]);
    expect(adopted.warnings.join()).not.toContain("sesame");
  });

  it("keeps a secret only where that is asked for, and never shows it", () => {
    const adopted = adoptServer(server, true);
    expect(JSON.stringify(adopted.upstream)).toContain("sesame-open-1");
    expect(JSON.stringify([adopted.shown, adopted.warnings])).not.toContain("sesame");
  });
});
