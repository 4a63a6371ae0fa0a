/** tools.describe: what tools.search found, with the full input schema. */
import { toolResult } from "../../../core/call/content.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { describedTools } from "./described-tools.ts";
import type { McpPorts } from "./ports.ts";

const maxNames = 20;
/** Room for the largest schemas that real servers have; a few usual ones take a tenth of it. */
const maxTokens = 10_000;

export function createToolsDescribe({ catalogue }: Pick<McpPorts, "catalogue">) {
  return defineBuiltin("tools.describe", {
    title: "Describe tools",
    description:
      "Shows the full description and input schema of tools by name, as tools.search lists them. Needed only where the line that tools.search shows does not say enough.",
    input: {
      type: "object",
      properties: {
        names: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 200 },
          minItems: 1,
          maxItems: maxNames,
          description: "Such as `github__create_issue`.",
        },
      },
      required: ["names"],
      additionalProperties: false,
    },
    synonyms: { names: ["name", "tools", "tool"] },
    adapt: ({ task_progress: _progress, ...input }) =>
      typeof input.names === "string" ? { ...input, names: input.names.split(",") } : input,
    idempotent: true,
    run: ({ names }, context) => {
      const tools = (catalogue?.toolsFor(context) ?? []).flatMap(({ tool, callable }) =>
        callable ? [tool] : [],
      );
      return toolResult({ content: [{ type: "text", text: describedTools(names, tools, maxTokens) }] });
    },
  });
}
