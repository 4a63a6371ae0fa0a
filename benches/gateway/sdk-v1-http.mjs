// The hand-written gateway on the official SDK (v1) over Streamable HTTP, with sessions and JSON answers. `sdk-v1-http.mjs PORT upstream`.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [port, ...args] = process.argv.slice(2);
const client = new Client({ name: "sdk-v1-http", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
const sessions = new Map();

createServer(async (incoming, outgoing) => {
  const known = sessions.get(incoming.headers["mcp-session-id"]);
  await (known ?? (await newSession())).handleRequest(incoming, outgoing);
}).listen(Number(port), "127.0.0.1");

async function newSession() {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  const server = new Server({ name: "sdk-v1-http", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const { tools, nextCursor } = await client.listTools(params);
    return { tools: tools.map((tool) => ({ ...tool, name: `up__${tool.name}` })), nextCursor };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    client.callTool({ ...params, name: params.name.slice("up__".length) }, undefined, { signal }),
  );
  await server.connect(transport);
  return transport;
}
