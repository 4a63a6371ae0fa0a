/** Tools as the API shows them: definition, source, and what stands in the way of this caller. */

import type { Caller, Mode } from "../../core/call/call.ts";
import { defined } from "../../core/input/defined.ts";
import { shownName } from "../../core/text/visible.ts";
import { closestNames } from "../../core/tool/tool-name.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Tool, ToolCounts } from "./contract.ts";
import { refusalJson } from "./outcome-json.ts";

export function viewTools(gate: Gate, caller: Caller, mode: Mode = "act"): Tool[] {
  const registered = new Map(gate.tools.list().map((tool) => [tool.id, tool]));
  return gate.tools.view({ caller, mode }).flatMap((view): Tool[] => {
    const tool = registered.get(view.id);
    if (tool === undefined) return [];
    const { id, wireName, names, source, inputSchema, outputSchema, capabilities, definitionHash } = tool;
    const { title, description, category, callable, why } = view;
    const shown = defined({
      name: id,
      wireName,
      aliases: names.filter((name) => name !== id && name !== wireName),
      title,
      description,
      source: source.kind,
      pluginName: source.kind === "plugin" ? source.name : undefined,
      serverName: source.kind === "upstream" ? source.name : undefined,
      inputSchema,
      outputSchema,
      category,
      permission: tool.tool.permission,
      capabilities,
      definitionHash,
      callable,
      why: why && refusalJson(why),
    });
    return [shown];
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

/** For a name that no tool has: which one was probably meant. */
export function explainNoTool({ tools }: Gate, caller: Caller | undefined, name: string): string {
  const seen = tools.list().filter(({ id }) => tools.seenBy(caller, id) !== undefined);
  const names = seen.flatMap((tool) => tool.names);
  const close = [...new Set(closestNames(name, names).map((one) => tools.get(one)?.id))];
  const meant = close.length === 0 ? "" : ` Did you mean ${close.join(" or ")}?`;
  return `There is no tool ${shownName(name)}.${meant}`;
}
