/** mcp.prompt_list: which prompts upstream servers offer. */
import { toolResult } from "../../../core/content.ts";
import { visible } from "../../../core/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { failed } from "../failed.ts";
import { choosePromptServer } from "./choose-server.ts";
import { promptsOfCaller } from "./of-caller.ts";
import type { McpPorts, McpPrompt } from "./ports.ts";

const maxCharacters = 24_000;

export function createPromptList({ prompts }: Pick<McpPorts, "prompts">) {
  return defineBuiltin("mcp.prompt_list", {
    title: "List MCP prompts",
    description:
      "Lists the prompts of the connected MCP servers, or of one of them: server, name, arguments. Get one with mcp.prompt_get.",
    input: {
      type: "object",
      properties: {
        server: { type: "string", minLength: 1, maxLength: 200, description: "Only this server's." },
        cursor: { type: "string", minLength: 1, maxLength: 4_000, description: "From the answer before." },
      },
      additionalProperties: false,
    },
    idempotent: true,
    run: async ({ server, cursor }, { signal, caller }) => {
      const reached = prompts && promptsOfCaller(prompts, caller);
      const chosen = server === undefined ? undefined : choosePromptServer(reached, server);
      if (reached === undefined || typeof chosen === "object")
        return failed(chosen ?? choosePromptServer(reached, server));
      const page = await reached.list({ server: chosen, cursor }, { signal });
      const lines: string[] = [];
      let length = 0;
      for (const prompt of page.prompts) {
        const line = lineOf(prompt);
        length += line.length + 1;
        if (length > maxCharacters) break;
        lines.push(line);
      }
      const left = page.prompts.length - lines.length;
      if (page.prompts.length === 0) lines.push("[No prompts.]");
      if (left > 0) lines.push(`[${left} more are not shown; name a server.]`);
      if (page.nextCursor !== undefined) lines.push(`[More: call again with cursor ${page.nextCursor}]`);
      return toolResult({ content: [{ type: "text", text: lines.join("\n") }] });
    },
  });
}

/** Written by the server: one line each, with nothing hidden in it. */
function lineOf({ server, name, description, arguments: given = [] }: McpPrompt): string {
  const named = given.map((one) => (one.required === true ? one.name : `[${one.name}]`)).join(" ");
  const words = [named, description && `- ${description}`].filter(Boolean).join(" ");
  return visible(`${server} ${name} ${words}`, { maxLength: 400 });
}
