/** A server over HTTP that wants a token. It prints where it listens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

function createTickets(): McpServer {
  const server = new McpServer({ name: "tickets", version: "1.0.0" });
  const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
  server.registerTool(
    "find",
    { description: "Finds tickets.", inputSchema: { words: z.string() } },
    ({ words }) => say(`1 ticket about ${words}: #7`),
  );
  server.registerTool(
    "close",
    { description: "Closes a ticket.", inputSchema: { id: z.number().int() } },
    ({ id }) => say(`Ticket #${id} is closed.`),
  );
  server.registerTool("delete_all", { description: "Deletes every ticket." }, () => say("Gone."));
  return server;
}

const http = createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env.TICKETS_TOKEN}`) {
    response.writeHead(401).end();
    return;
  }
  // Without sessions: each request is served by itself.
  const transport = new StreamableHTTPServerTransport({});
  await createTickets().connect(transport as Transport);
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
});
