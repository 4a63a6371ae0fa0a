/** tools.search: finds tools by what they do, so that a model need not be told about all of them at once. */
import { type ToolResult, toolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { describedTools } from "./described-tools.ts";
import type { McpPorts } from "./ports.ts";
import { ToolIndex } from "./tool-index.ts";
import { toolLine } from "./tool-line.ts";

const defaultLimit = 10;
const maxLimit = 25;
/** Of an answer. Less than 2,000, because the count is an estimate. */
const maxTokens = 1_850;

/** Whoever can search has been shown these; in an answer they would only take the place of others. */
const finders = new Set(["tools.search", "tools.describe", "tools.call", "mcp.call"]);

export function createToolsSearch({ catalogue }: Pick<McpPorts, "catalogue">) {
  const index = new ToolIndex();
  return defineBuiltin("tools.search", {
    title: "Search tools",
    description:
      "Finds tools by what they do, best first: name, server, purpose, parameters. There may be many more tools than you were shown, so search before you say that something cannot be done. " +
      "Search for one step at a time (`create an issue`, then `post a message`), in plain words, with the name of the service where you know it. " +
      "Call what you find with tools.call; tools.describe shows full input schemas. Without a query: the groups of tools.",
    input: {
      type: "object",
      properties: {
        query: {
          type: "string",
          maxLength: 4_000,
          description: "One step, such as `create a pull request`.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: maxLimit,
          description: `Tools in the answer. Default ${defaultLimit}.`,
        },
      },
      additionalProperties: false,
    },
    synonyms: { limit: ["max_results"] },
    adapt: ({ task_progress: _progress, ...input }) => input,
    idempotent: true,
    run: ({ query = "", limit = defaultLimit }, context) => {
      const all = catalogue?.toolsFor(context) ?? [];
      const shown = new Map(all.flatMap(({ tool, callable }) => (callable ? [[tool.id, tool]] : [])));
      if (shown.size === 0)
        return failed({ code: "no_tools", message: "There are no tools that you may call." });
      if (query.trim() === "") return overview([...shown.values()]);
      const selected = /^\s*select:(.*)$/s.exec(query)?.[1];
      if (selected !== undefined)
        return toText(describedTools(selected.split(","), [...shown.values()], maxTokens));
      const tools = all.map(({ tool }) => tool);
      const found = index.find(tools, query, (id) => shown.has(id) && !finders.has(id), limit);
      return answer(found.flatMap((id) => shown.get(id) ?? []));
    },
  });
}

function answer(tools: readonly RegisteredTool[]): ToolResult {
  if (tools.length === 0) return toText("[Nothing found. Try other words, or no query to see the groups.]");
  const kept: string[] = [];
  let tokens = 0;
  for (const line of tools.map(toolLine)) {
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) break;
    kept.push(line);
  }
  const left = tools.length - kept.length;
  if (left > 0) kept.push(`[${left} more do not fit; ask for fewer or with other words.]`);
  return toText(kept.join("\n"));
}

/** Every group is named, however many there are; of their tools as many as fit. */
function overview(tools: readonly RegisteredTool[]): ToolResult {
  const groups = [...Map.groupBy(tools, ({ source, category }) => source.name ?? category)];
  for (let room = 1_600; ; room = Math.floor(room * 0.7)) {
    const lines = groups.map(([group, members]) => {
      const head = `${visible(group, { maxLength: 32 })} (${members.length})`;
      const names = members.map(({ wireName }) => wireName).join(", ");
      return room < 20 ? head : `${head}: ${visible(names, { maxLength: room })}`;
    });
    const text = room < 20 ? lines.join(", ") : lines.join("\n");
    if (estimateTokens(text) <= maxTokens) return toText(text);
    if (room < 20) return toText(`${text.slice(0, 2 * maxTokens)} ... [${groups.length} groups in all]`);
  }
}

/** Only text: a client that shows a model the structured part instead would hide what the tools are for. */
function toText(text: string): ToolResult {
  return toolResult({ content: [{ type: "text", text }] });
}
