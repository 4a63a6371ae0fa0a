// What one writes by hand with the official SDK: its client to the upstream, its low-level server to the caller, names with a prefix.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const client = new Client({ name: "sdk-v1-gateway", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: process.argv.slice(2) }));
const server = new Server({ name: "sdk-v1-gateway", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
  const { tools, nextCursor } = await client.listTools(params);
  return { tools: tools.map((tool) => ({ ...tool, name: `up__${tool.name}` })), nextCursor };
});
server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
  client.callTool({ ...params, name: params.name.slice("up__".length) }, undefined, { signal }),
);
await server.connect(new StdioServerTransport());
process.stdin.on("end", () => client.close().then(() => process.exit()));
