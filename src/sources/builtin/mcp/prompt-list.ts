/** mcp.prompt_list: which prompts upstream servers offer. */
import { toolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { choosePromptServer } from "./choose-server.ts";
import { promptsOfCaller } from "./of-caller.ts";
import { pageInput, pageLines } from "./page-lines.ts";
import type { McpPorts, McpPrompt } from "./ports.ts";

export function createPromptList({ prompts }: Pick<McpPorts, "prompts">) {
  return defineBuiltin("mcp.prompt_list", {
    title: "List MCP prompts",
    description:
      "Lists the prompts of the connected MCP servers, or of one of them: server, name, arguments. Get one with mcp.prompt_get.",
    input: pageInput,
    idempotent: true,
    run: async ({ server, cursor }, { signal, caller }) => {
      const reached = prompts && promptsOfCaller(prompts, caller);
      const chosen = server === undefined ? undefined : choosePromptServer(reached, server);
      if (reached === undefined || typeof chosen === "object")
        return failed(chosen ?? choosePromptServer(reached, server));
      const page = await reached.list({ server: chosen, cursor }, { signal });
      const { text } = pageLines(page.prompts, lineOf, {
        none: "[No prompts.]",
        nextCursor: page.nextCursor,
      });
      return toolResult({ content: [{ type: "text", text }] });
    },
  });
}

/** Written by the server: one line each, with nothing hidden in it. */
function lineOf({ server, name, description, arguments: given = [] }: McpPrompt): string {
  const named = given.map((one) => (one.required === true ? one.name : `[${one.name}]`)).join(" ");
  const words = [named, description && `- ${description}`].filter(Boolean).join(" ");
  return visible(`${server} ${name} ${words}`, { maxLength: 400 });
}
