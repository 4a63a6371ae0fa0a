/** Which tools a model is shown at the start: all, or in search mode those that find and call the others. */
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import type { ToolsMode } from "../server-parts.ts";

export const defaultTokenBudget = 10_000;

export interface ListedToolsOptions {
  readonly mode: ToolsMode;
  /** For `auto`: what all definitions together may cost. */
  readonly tokenBudget?: number | undefined;
  /** Ids of tools that stay in search mode besides its own. */
  readonly always?: readonly string[] | undefined;
}

export interface ListedTools {
  /** What `auto` came to; `all` also where search mode is not possible. */
  readonly mode: "all" | "search";
  /** In the order given. In search mode `tools.search` says which groups of tools there are. */
  readonly tools: readonly RegisteredTool[];
}

/** Pure: what a caller may call goes in, what is listed comes out. Keep the answer until the tools change. */
export function listedTools(
  callable: readonly RegisteredTool[],
  { mode, tokenBudget = defaultTokenBudget, always = [] }: ListedToolsOptions,
): ListedTools {
  if (mode === "all" || !canSearch(callable)) return { mode: "all", tools: callable };
  // Whoever sees everything needs nothing to find it with.
  const found = callable.filter(({ id }) => !searchTools.has(id));
  if (mode === "auto" && !costsMoreThan(found, tokenBudget)) return { mode: "all", tools: found };
  const stay = new Set([...searchTools, ...always]);
  const tools = callable
    .filter(({ id }) => stay.has(id))
    .map((tool) => (tool.id === "tools.search" ? withGroups(tool, found) : tool));
  return { mode: "search", tools };
}

/** For the person who wonders where the tools are. */
export function describeSearchMode(count: number, tokenBudget: number = defaultTokenBudget): string {
  return `Search mode: the definitions of ${count} tools cost more than ${tokenBudget} tokens (mcp.token_budget), so clients are shown tools_search, tools_describe and tools_call, which find and call the others. To show all: mcp: { tools: all } in the configuration, or toolgate mcp --tools all. Only tools that are on count: with fewer categories (--enable-tool-categories instead of --enable-tools) all may fit.`;
}

const searchTools: ReadonlySet<string> = new Set(["tools.search", "tools.describe", "tools.call"]);

/** Without these two a short list would be a dead end: no other tool could be found or called. */
function canSearch(callable: readonly RegisteredTool[]): boolean {
  const has = (id: string) => callable.some((tool) => tool.id === id);
  return has("tools.search") && has("tools.call");
}

function costsMoreThan(tools: readonly RegisteredTool[], budget: number): boolean {
  let tokens = 0;
  for (const tool of tools) {
    tokens += definitionTokens(tool);
    if (tokens > budget) return true;
  }
  return false;
}

/** About what a model pays for a definition: its name, description and input schema. */
export function definitionTokens(registered: RegisteredTool): number {
  const known = tokensByTool.get(registered);
  if (known !== undefined) return known;
  const { wireName: name, tool, inputSchema } = registered;
  const tokens = estimateTokens(JSON.stringify({ name, description: tool.description, inputSchema }));
  tokensByTool.set(registered, tokens);
  return tokens;
}

/** A registered tool never changes, and goes with its entry. */
const tokensByTool = new WeakMap<RegisteredTool, number>();

const maxGroupTokens = 600;

/**
 * The description of tools.search names the groups of tools: a model that knows of a `github` asks for it.
 * A copy to be shown; what is registered stays as it is.
 */
function withGroups(search: RegisteredTool, others: readonly RegisteredTool[]): RegisteredTool {
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
    if (tokens > maxGroupTokens) break;
    named.push(group);
  }
  const left = groups.length - named.length;
  return left === 0 ? named.join(", ") : `${named.join(", ")} and ${left} more`;
}
