// The gateway written with the official SDK v2: its HTTP handler with the low-level server for each request. `sdk-v2-http.mjs PORT upstream`.

import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";

const [port, ...args] = process.argv.slice(2);
const client = new Client({ name: "sdk-v2-http", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args }));

const handler = createMcpHandler(() => {
  const server = new Server({ name: "sdk-v2-http", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async ({ params }) => {
    const { tools, nextCursor } = await client.listTools(
      params?.cursor ? { cursor: params.cursor } : undefined,
    );
    return { tools: tools.map((tool) => ({ ...tool, name: `up__${tool.name}` })), nextCursor };
  });
  server.setRequestHandler("tools/call", ({ params }) =>
    client.callTool({ name: params.name.slice("up__".length), arguments: params.arguments }),
  );
  return server;
});
createServer(toNodeHandler(handler)).listen(Number(port), "127.0.0.1");
