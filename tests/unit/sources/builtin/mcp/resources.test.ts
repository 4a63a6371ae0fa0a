import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { McpResources } from "../../../../../src/sources/builtin/mcp/ports.ts";
import { createResourceList } from "../../../../../src/sources/builtin/mcp/resource-list.ts";
import { createResourceRead } from "../../../../../src/sources/builtin/mcp/resource-read.ts";
import { describeInput } from "../describe-input.ts";
import { mcpGate } from "./mcp-gate.ts";

const names = ["docs", "wiki"];

function servers(count = 2): McpResources {
  return {
    servers: () => names.slice(0, count),
    list: async ({ server, cursor }) => ({
      resources: names
        .slice(0, count)
        .filter((name) => server === undefined || name === server)
        .map((name) => ({
          server: name,
          uri: `${name}://start${cursor ?? ""}`,
          name: "Start\u202e",
          mimeType: "text/plain",
        })),
      ...(cursor === undefined && { nextCursor: "2" }),
    }),
    read: async ({ server, uri }) => {
      if (uri === "docs://broken") throw new Error("the server is gone");
      if (uri === "docs://none") return { contents: [] };
      if (uri === "docs://image") return { contents: [{ uri, mimeType: "image/png", blob: "aGk=" }] };
      if (uri === "docs://binary") return { contents: [{ uri, mimeType: "application/zip", blob: "aGk=" }] };
      if (uri === "docs://long")
        return {
          contents: [
            { uri, text: "x".repeat(50_000) },
            { uri, text: "more" },
          ],
        };
      return { contents: [{ uri, text: `${server} says ${uri}` }] };
    },
  };
}

const policies = [{ name: "all", tools: "*", action: "approve" as const }];

describeInput("mcp.resource_list", () => createResourceList({ resources: servers() }), {
  good: {},
  bad: [{ server: 1 }, { server: "" }, { cursor: "" }],
});
describeInput("mcp.resource_read", () => createResourceRead({ resources: servers(1) }), {
  good: { uri: "docs://start" },
  bad: [{}, { uri: "" }, { uri: 7 }],
});

describe("mcp.resource_list", () => {
  it("lists what the servers offer, with nothing hidden, and how to go on", async () => {
    const { say } = await mcpGate({ resources: servers() });
    expect(await say("mcp.resource_list")).toBe(
      "docs docs://start Start\\u{202E} (text/plain)\nwiki wiki://start Start\\u{202E} (text/plain)\n[More: call again with cursor 2]",
    );
    expect(await say("list_mcp_resources", { server: "wiki", cursor: "2" })).toBe(
      "wiki wiki://start2 Start\\u{202E} (text/plain)",
    );
    expect(await say("ListMcpResourcesTool", { server: "nope" })).toMatch(
      /^no_server .*Servers: docs, wiki\.$/,
    );
  });

  it("says that no server is connected", async () => {
    for (const ports of [{}, { resources: servers(0) }]) {
      const { say } = await mcpGate(ports);
      expect(await say("mcp.resource_list")).toMatch(/^no_server No MCP server/);
    }
  });
});

describe("mcp.resource_read", () => {
  it("asks before it reads from a server, unless a policy approves", async () => {
    const { say } = await mcpGate({ resources: servers() });
    expect(await say("mcp.resource_read", { server: "docs", uri: "docs://a" })).toMatch(/^no_approver /);
  });

  it("does not ask about a server of which the configuration says that it only reads", async () => {
    const resources = { ...servers(), onlyReads: (server: string) => server === "docs" };
    const { say } = await mcpGate({ resources });
    expect(await say("mcp.resource_read", { server: "docs", uri: "docs://a" })).toBe("docs says docs://a");
    expect(await say("mcp.resource_read", { server: "wiki", uri: "docs://a" })).toMatch(/^no_approver /);
    // Which one is meant is not known before it runs.
    expect(await say("mcp.resource_read", { uri: "docs://a" })).toMatch(/^no_approver /);
  });

  it.each([
    "https://evil.example/?q=secret",
    "HTTP://evil.example",
    " https://evil.example",
    "git+ssh://evil.example/x",
    "view-source:https://evil.example",
    "not a uri",
  ])("asks even there about %s, which is an address or nobody can tell", async (uri) => {
    const { say } = await mcpGate({ resources: { ...servers(1), onlyReads: () => true } });
    expect(await say("mcp.resource_read", { uri })).toMatch(/^no_approver /);
  });

  it("is held to what holds for files where the URI is one", async () => {
    const resources = { ...servers(1), onlyReads: () => true };
    const roots = [process.cwd()];
    const { say } = await mcpGate({ resources }, { roots });
    const uri = (path: string) => pathToFileURL(resolve(path)).href;
    expect(await say("mcp.resource_read", { uri: uri("notes.txt") })).toContain("docs says");
    expect(await say("mcp.resource_read", { uri: uri(".env") })).toMatch(/^policy_denied /);
    expect(await say("mcp.resource_read", { uri: uri("x").replace(/x$/, "%2Eenv") })).toMatch(
      /^policy_denied /,
    );
    expect(await say("mcp.resource_read", { uri: "file:///etc/hosts" })).toMatch(/^no_approver /);
    const all = await mcpGate({ resources: servers(1) }, { policies, roots });
    expect(await all.say("mcp.resource_read", { uri: uri(".env") })).toMatch(/^policy_denied /);
    expect(await all.say("mcp.resource_read", { uri: ".env" })).toMatch(/^policy_denied /);
  });

  it.each(["file:///project/a b.txt", "file:///project/a%20b.txt", "file:///project/\u00fcber.txt"])(
    "takes %s for the name of a file",
    async (uri) => {
      const { say } = await mcpGate({ resources: servers(1) }, { policies, roots: ["/"] });
      expect(await say("mcp.resource_read", { uri })).toBe(`docs says ${uri}`);
    },
  );

  it.each([
    ["mcp.resource_read", { server: "docs", uri: "docs://a" }],
    ["access_mcp_resource", { server_name: "docs", uri: "docs://a", task_progress: "x" }],
    ["ReadMcpResourceTool", { server: "docs", uri: "docs://a" }],
    ["read_mcp_resource", { server: "docs", uri: "docs://a" }],
  ])("reads text, called %s", async (name, input) => {
    const { say } = await mcpGate({ resources: servers() }, { policies });
    expect(await say(name, input)).toBe("docs says docs://a");
  });

  it("needs no server's name when there is only one", async () => {
    const one = await mcpGate({ resources: servers(1) }, { policies });
    expect(await one.say("read_mcp_resource", { uri: "docs://a" })).toBe("docs says docs://a");
    const two = await mcpGate({ resources: servers() }, { policies });
    expect(await two.say("read_mcp_resource", { uri: "docs://a" })).toMatch(/^no_server Name the server/);
  });

  it("shows images as images, describes what is not text, and cuts what is long", async () => {
    const { say, gate } = await mcpGate({ resources: servers(1) }, { policies });
    const image = await gate.dispatch({ tool: "mcp.resource_read", input: { uri: "docs://image" } });
    expect(image.result.content).toEqual([{ type: "image", data: "aGk=", mimeType: "image/png" }]);
    expect(await say("mcp.resource_read", { uri: "docs://binary" })).toBe(
      "[application/zip, about 3 bytes, not shown]",
    );
    const long = await say("mcp.resource_read", { uri: "docs://long" });
    expect(long).toContain("[cut: 2000 more characters]");
    expect(long).toContain("[cut: 4 more characters]");
  });

  it("says what the server says", async () => {
    const { say } = await mcpGate({ resources: servers(1) }, { policies });
    expect(await say("mcp.resource_read", { uri: "docs://broken" })).toMatch(
      /^tool_failed .*the server is gone/,
    );
    expect(await say("mcp.resource_read", { uri: "docs://none" })).toMatch(/^not_found /);
    const none = await mcpGate({}, { policies });
    expect(await none.say("mcp.resource_read", { uri: "docs://a" })).toMatch(/^no_server No MCP server/);
  });

  it("is held to rules about URLs", async () => {
    const deny = {
      name: "not there",
      tools: "*",
      action: "deny" as const,
      priority: 1,
      conditions: [{ type: "url" as const, operator: "startsWith" as const, value: "docs://private" }],
    };
    const { say } = await mcpGate({ resources: servers(1) }, { policies: [...policies, deny] });
    expect(await say("ReadMcpResourceTool", { uri: "docs://private/x" })).toMatch(/^policy_denied /);
    expect(await say("ReadMcpResourceTool", { uri: "docs://public" })).toContain("docs says");
  });
});
