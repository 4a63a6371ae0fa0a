// The official MCP SDK, client and server joined in memory: what a call through a protocol costs without any wire.

import { description, inputAt, zodSchema, zodShape } from "./add-tool.mjs";

export const mcpV1 = "MCP SDK v1, client and server in memory";
const info = { name: "bench", version: "1.0.0" };
const answer = async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] });

export async function mcpV1Subject() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
  const server = new McpServer(info);
  server.registerTool("add", { description, inputSchema: zodShape }, answer);
  return join(mcpV1, server, new Client(info), InMemoryTransport);
}

export async function mcpV2Subject() {
  const { Client, InMemoryTransport } = await import("@modelcontextprotocol/client");
  const { McpServer } = await import("@modelcontextprotocol/server");
  const server = new McpServer(info);
  server.registerTool("add", { description, inputSchema: zodSchema }, answer);
  return join("MCP SDK v2, client and server in memory", server, new Client(info), InMemoryTransport);
}

async function join(name, server, client, InMemoryTransport) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    name,
    call: (index) => client.callTool({ name: "add", arguments: inputAt(index) }),
    sum: (result) => Number(result.content[0].text),
    close: () => client.close(),
  };
}
