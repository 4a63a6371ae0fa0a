/** tools.search: finds tools by what they do, so that a model need not be told about all of them at once. */
import { type ToolResult, toolResult } from "../../../core/content.ts";
import type { RegisteredTool } from "../../../core/registry.ts";
import { visible } from "../../../core/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { failed } from "../failed.ts";
import type { McpPorts } from "./ports.ts";
import { ToolIndex } from "./tool-index.ts";
import { parametersOf } from "./tool-words.ts";

const defaultLimit = 8;
const maxLimit = 25;
/** About 2,000 tokens: names and schemas take more tokens a character than prose. */
const maxCharacters = 6_000;

export function createToolsSearch({ catalogue }: Pick<McpPorts, "catalogue">) {
  const index = new ToolIndex();
  return defineBuiltin("tools.search", {
    title: "Search tools",
    description:
      "Finds tools by what they do, best first: name, purpose, parameters. Search for one step at a time (`create an issue`, then `post a message`). " +
      "`select:name,other_name` shows the full input schemas of tools by name; without a query the groups of tools are shown. Call what you find by its name, or with mcp.call.",
    input: {
      type: "object",
      properties: {
        query: { type: "string", maxLength: 1_000, description: "Such as `create a pull request`." },
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
      if (selected !== undefined) return describe(selected, [...shown.values()]);
      const tools = all.map(({ tool }) => tool);
      const found = index.find(tools, query, (id) => shown.has(id), limit);
      return answer(found.flatMap((id) => shown.get(id) ?? []));
    },
  });
}

function answer(tools: readonly RegisteredTool[]): ToolResult {
  if (tools.length === 0)
    return listed(["[Nothing found. Try other words, or no query to see the groups.]"], []);
  return listed(tools.map(lineOf), tools);
}

/** Written by strangers in part: one line, nothing hidden in it. */
function lineOf({ wireName, tool, category, source, inputSchema }: RegisteredTool): string {
  const purpose = visible(firstSentence(tool.description), { maxLength: 200 });
  const parameters = parametersOf(inputSchema).map(({ name, required }) => (required ? name : `${name}?`));
  const shown = visible(parameters.join(", "), { maxLength: 200 });
  return `${wireName} [${source.name ?? category}]: ${purpose} (${shown})`;
}

function firstSentence(description: string): string {
  const line = description.trim().replace(/\s+/g, " ");
  return /^.{20,}?[.!?](?= )/u.exec(line)?.[0] ?? line;
}

function overview(tools: readonly RegisteredTool[]): ToolResult {
  const groups = Map.groupBy(tools, ({ source, category }) => source.name ?? category);
  // Every group is named, however many there are; of their tools as many as fit.
  const room = Math.max(20, Math.floor(maxCharacters / groups.size) - 50);
  const lines = [...groups].map(([group, members]) => {
    const names = members.map(({ wireName }) => wireName).join(", ");
    return `${visible(group, { maxLength: 30 })} (${members.length}): ${visible(names, { maxLength: room })}`;
  });
  return listed(lines, []);
}

/** By any name a tool has. */
function describe(names: string, tools: readonly RegisteredTool[]): ToolResult {
  const wanted = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const found = wanted.flatMap((name) => tools.find((tool) => tool.names.includes(name)) ?? []);
  const missing = wanted.filter((name) => !tools.some((tool) => tool.names.includes(name)));
  const lines = [...new Set(found)].map(whole);
  if (missing.length > 0)
    lines.push(`[No tool that you may call: ${visible(missing.join(", "), { maxLength: 300 })}]`);
  return listed(lines, found);
}

function whole(registered: RegisteredTool): string {
  const schema = visible(JSON.stringify(registered.inputSchema));
  const purpose = visible(registered.tool.description, { maxLength: 1_000 });
  if (schema.length <= maxCharacters - 2_000) return `${registered.wireName}: ${purpose}\n${schema}`;
  return `${lineOf(registered)}\n[Its schema has ${schema.length} characters, too many to show.]`;
}

function listed(lines: readonly string[], tools: readonly RegisteredTool[]): ToolResult {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxCharacters) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  if (left > 0) kept.push(`[${left} more do not fit; ask for fewer or with other words.]`);
  const structured = { tools: tools.slice(0, lines.length - left).map(({ wireName }) => wireName) };
  return toolResult({ content: [{ type: "text", text: kept.join("\n") }], structured });
}
