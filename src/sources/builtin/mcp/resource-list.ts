/** mcp.resource_list: what upstream servers offer to read. */
import { toolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { chooseServer, notConnected } from "./choose-server.ts";
import { resourcesOfCaller } from "./of-caller.ts";
import { pageInput, pageLines } from "./page-lines.ts";
import type { McpPorts, McpResource } from "./ports.ts";

export function createResourceList({ resources }: Pick<McpPorts, "resources">) {
  return defineBuiltin("mcp.resource_list", {
    title: "List MCP resources",
    description:
      "Lists the resources of the connected MCP servers, or of one of them: server, URI, name. Read one with mcp.resource_read.",
    input: pageInput,
    synonyms: { server: ["server_name", "serverName"] },
    adapt: ({ task_progress: _progress, ...input }) => input,
    idempotent: true,
    run: async ({ server, cursor }, { signal, caller }) => {
      const reached = resources && resourcesOfCaller(resources, caller);
      if (reached === undefined || reached.servers().length === 0) return failed(notConnected);
      const chosen = server === undefined ? undefined : chooseServer(reached, server);
      if (typeof chosen === "object") return failed(chosen);
      const page = await reached.list({ server: chosen, cursor }, { signal });
      const { nextCursor } = page;
      const { text, shown } = pageLines(page.resources, lineOf, { none: "[No resources.]", nextCursor });
      const structured = {
        resources: page.resources.slice(0, shown),
        ...(nextCursor !== undefined && { nextCursor }),
      };
      return toolResult({ content: [{ type: "text", text }], structured });
    },
  });
}

/** Written by the server: one line each, with nothing hidden in it. */
function lineOf({ server, uri, name, description, mimeType }: McpResource): string {
  const words = [name, mimeType && `(${mimeType})`, description && `- ${description}`];
  return visible(`${server} ${uri} ${words.filter(Boolean).join(" ")}`, { maxLength: 400 });
}
