/** mcp.resource_list: what upstream servers offer to read. */
import { toolResult } from "../../../core/content.ts";
import { visible } from "../../../core/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { failed } from "../failed.ts";
import { chooseServer, notConnected } from "./choose-server.ts";
import { resourcesOfCaller } from "./of-caller.ts";
import type { McpPorts, McpResource } from "./ports.ts";

const maxCharacters = 24_000;

export function createResourceList({ resources }: Pick<McpPorts, "resources">) {
  return defineBuiltin("mcp.resource_list", {
    title: "List MCP resources",
    description:
      "Lists the resources of the connected MCP servers, or of one of them: server, URI, name. Read one with mcp.resource_read.",
    input: {
      type: "object",
      properties: {
        server: { type: "string", minLength: 1, maxLength: 200, description: "Only this server's." },
        cursor: { type: "string", minLength: 1, maxLength: 4_000, description: "From the answer before." },
      },
      additionalProperties: false,
    },
    synonyms: { server: ["server_name", "serverName"] },
    adapt: ({ task_progress: _progress, ...input }) => input,
    idempotent: true,
    run: async ({ server, cursor }, { signal, caller }) => {
      const reached = resources && resourcesOfCaller(resources, caller);
      if (reached === undefined || reached.servers().length === 0) return failed(notConnected);
      const chosen = server === undefined ? undefined : chooseServer(reached, server);
      if (typeof chosen === "object") return failed(chosen);
      const page = await reached.list({ server: chosen, cursor }, { signal });
      const lines: string[] = [];
      let length = 0;
      for (const resource of page.resources) {
        const line = lineOf(resource);
        length += line.length + 1;
        if (length > maxCharacters) break;
        lines.push(line);
      }
      const left = page.resources.length - lines.length;
      if (page.resources.length === 0) lines.push("[No resources.]");
      if (left > 0) lines.push(`[${left} more are not shown; name a server.]`);
      if (page.nextCursor !== undefined) lines.push(`[More: call again with cursor ${page.nextCursor}]`);
      const structured = {
        resources: page.resources.slice(0, page.resources.length - left),
        ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      };
      return toolResult({ content: [{ type: "text", text: lines.join("\n") }], structured });
    },
  });
}

/** Written by the server: one line each, with nothing hidden in it. */
function lineOf({ server, uri, name, description, mimeType }: McpResource): string {
  const words = [name, mimeType && `(${mimeType})`, description && `- ${description}`];
  return visible(`${server} ${uri} ${words.filter(Boolean).join(" ")}`, { maxLength: 400 });
}
