/** A server written with the official SDK v2, over stdio or, with a port, over HTTP; modern only. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const text = (value) => ({ content: [{ type: "text", text: value }] });
const confirmation = z.object({ confirm: z.boolean() });

function create() {
  const server = new McpServer({ name: "modern", version: "1.0.0" });
  server.registerTool("echo", { inputSchema: z.object({ message: z.string() }) }, ({ message }) =>
    text(message),
  );
  server.registerTool("steps", { inputSchema: z.object({}) }, async (_args, ctx) => {
    const { progressToken } = ctx.mcpReq._meta ?? {};
    for (let progress = 1; progress <= 3; progress++)
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3 },
      });
    return text("done");
  });
  server.registerTool("deploy", { inputSchema: z.object({ env: z.string() }) }, ({ env }, ctx) => {
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, "confirm", confirmation);
    if (confirmed?.confirm === true) return text(`deployed to ${env}`);
    const confirm = inputRequired.elicit({ message: `Deploy to ${env}?`, requestedSchema: confirmation });
    return inputRequired({ inputRequests: { confirm } });
  });
  server.registerTool("hang", { inputSchema: z.object({}) }, (_args, ctx) => {
    return new Promise((resolve) =>
      ctx.mcpReq.signal.addEventListener("abort", () => resolve(text("cancelled"))),
    );
  });
  server.registerResource("note", "note://one", { title: "One" }, (uri) => ({
    contents: [{ uri: uri.href, text: "the first note" }],
  }));
  server.registerPrompt("greet", { argsSchema: z.object({ who: z.string() }) }, ({ who }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${who}` } }],
  }));
  return server;
}

const port = process.argv[2];
if (port === undefined) serveStdio(create, { legacy: "reject" });
else
  createServer(toNodeHandler(createMcpHandler(create, { legacy: "reject" }))).listen(
    Number(port),
    "127.0.0.1",
  );
