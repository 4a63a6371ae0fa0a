/** Tools as the API shows them: the definition, where it comes from, and what stands in the way of this caller. */
import type { Caller, Mode } from "../../core/call/call.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Tool, ToolCounts } from "./contract.ts";
import { refusalJson } from "./outcome-json.ts";

export function viewTools(gate: Gate, caller: Caller, mode: Mode = "act"): Tool[] {
  const registered = new Map(gate.tools.list().map((tool) => [tool.id, tool]));
  return gate.tools.view({ caller, mode }).flatMap((view): Tool[] => {
    const tool = registered.get(view.id);
    if (tool === undefined) return [];
    const { id, wireName, names, source, inputSchema, outputSchema, capabilities, definitionHash } = tool;
    return [
      {
        name: id,
        wireName,
        aliases: names.filter((name) => name !== id && name !== wireName),
        title: view.title,
        description: view.description,
        source: source.kind,
        ...(source.kind === "plugin" && source.name !== undefined && { pluginName: source.name }),
        ...(source.kind === "upstream" && source.name !== undefined && { serverName: source.name }),
        inputSchema,
        ...(outputSchema !== undefined && { outputSchema }),
        category: view.category,
        permission: tool.tool.permission,
        capabilities,
        definitionHash,
        callable: view.callable,
        ...(view.why && { why: refusalJson(view.why) }),
      },
    ];
  });
}

export function countTools(tools: readonly Tool[]): ToolCounts {
  const of = (kind: Tool["source"]) => tools.filter(({ source }) => source === kind).length;
  return {
    total: tools.length,
    callable: tools.filter(({ callable }) => callable).length,
    builtin: of("builtin"),
    plugin: of("plugin"),
    upstream: of("upstream"),
    library: of("library"),
  };
}
