// Mastra's MCP client, whose tools are given to its MCP server.

import { MCPClient, MCPServer } from "@mastra/mcp";

const client = new MCPClient({ servers: { up: { command: process.execPath, args: process.argv.slice(2) } } });
const tools = await client.listTools();
const server = new MCPServer({ name: "mastra-gateway", version: "1.0.0", tools });
await server.startStdio();
process.stdin.on("end", () => client.disconnect().then(() => process.exit()));
