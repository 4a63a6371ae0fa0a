/** A server over pipes, as anybody would write it with the official SDK: orders, and money that goes back. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "orders", version: "1.0.0" });
const say = (text: string) => ({ content: [{ type: "text" as const, text }] });

server.registerTool(
  "status",
  {
    description: "Says where an order is.",
    inputSchema: { order: z.string() },
    annotations: { readOnlyHint: true },
  },
  ({ order }) => say(`Order ${order} is on its way.`),
);

server.registerTool(
  "refund",
  {
    description: "Pays money back.",
    inputSchema: { order: z.string(), amount: z.number().positive() },
    annotations: { destructiveHint: true },
  },
  ({ order, amount }) => say(`Paid ${amount} back for order ${order}.`),
);

await server.connect(new StdioServerTransport());
