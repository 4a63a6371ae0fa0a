/** In search mode the description of tools.search names the groups of tools: a model that knows there is a `github` asks for it. */
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";

const maxTokens = 600;

/** A copy to be shown; what is registered stays as it is. */
export function withGroups(search: RegisteredTool, others: readonly RegisteredTool[]): RegisteredTool {
  if (others.length === 0) return search;
  const description = `${search.tool.description} Groups here: ${groupsOf(others)}.`;
  return { ...search, tool: { ...search.tool, description } };
}

/** `github (26), slack (8)`: servers and plugins by their names, the gate's own tools by category. */
function groupsOf(tools: readonly RegisteredTool[]): string {
  const groups = [...Map.groupBy(tools, ({ source, category }) => source.name ?? category)];
  const named: string[] = [];
  let tokens = 0;
  for (const [name, { length }] of groups) {
    const group = `${visible(name, { maxLength: 40 })} (${length})`;
    tokens += estimateTokens(group) + 1;
    if (tokens > maxTokens) break;
    named.push(group);
  }
  const left = groups.length - named.length;
  return left === 0 ? named.join(", ") : `${named.join(", ")} and ${left} more`;
}
