/** What checking by a schema may cost: recursion, or many sub-schemas for each item of a value. */

import type { Json, JsonObject } from "../../core/input/json.ts";
import type { CopiedNode } from "./schema-copy.ts";
import { isObject, readKeyword, type SubSchema } from "./schema-keywords.ts";

/** Above these a validation runs under a time budget. */
const MAX_EXPANDED = 500;
const MAX_EXPANDED_EACH = 40;

/** `endless`: it comes back to itself without ever reaching a part of the value. */
export function costOf(nodes: readonly CopiedNode[]): "endless" | "costly" | "cheap" {
  const graph = new Map(nodes.map((node) => [node.schema as unknown, readEdges(node)]));
  if (hasEndlessLoop(graph)) return "endless";
  const root = nodes[0]?.schema;
  return root !== undefined && isCostly(root, graph) ? "costly" : "cheap";
}

interface Edge {
  readonly to: unknown;
  readonly applies: SubSchema["applies"];
}
type Graph = ReadonlyMap<unknown, readonly Edge[]>;

function readEdges({ schema, targets }: CopiedNode): Edge[] {
  const edges: Edge[] = targets.map((to) => ({ to, applies: "same" }));
  for (const [word, value] of Object.entries(schema as JsonObject)) {
    const found = readKeyword(word, value as Json, "");
    if (typeof found === "string") continue;
    for (const { schema: to, applies } of found) if (isObject(to)) edges.push({ to, applies });
  }
  return edges;
}

function hasEndlessLoop(graph: Graph): boolean {
  const state = new Map<unknown, "open" | "done">();
  const visit = (node: unknown): boolean => {
    if (state.has(node)) return state.get(node) === "open";
    state.set(node, "open");
    const loops = (graph.get(node) ?? []).some(({ to, applies }) => applies === "same" && visit(to));
    state.set(node, "done");
    return loops;
  };
  return [...graph.keys()].some(visit);
}

function isCostly(root: unknown, graph: Graph): boolean {
  const sizes = new Map<unknown, { all: number; each: number } | undefined>();
  const size = (node: unknown): { all: number; each: number } => {
    if (sizes.has(node))
      return sizes.get(node) ?? { all: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY };
    sizes.set(node, undefined);
    const sum = weight(node as JsonObject);
    for (const { to, applies } of graph.get(node) ?? []) {
      if (applies === "none" || !isObject(to)) continue;
      const part = size(to);
      sum.all += part.all;
      sum.each += applies === "each" ? part.all : part.each;
    }
    sizes.set(node, sum);
    return sum;
  };
  const { all, each } = size(root);
  return !(all <= MAX_EXPANDED && each <= MAX_EXPANDED_EACH);
}

/** Each key of a closed object is compared with all names, each value with all members of an enum. */
function weight(schema: JsonObject): { all: number; each: number } {
  const names = isObject(schema.properties) ? Object.keys(schema.properties).length : 0;
  const closed = schema.additionalProperties !== undefined && schema.additionalProperties !== true;
  const members = Array.isArray(schema.enum) ? schema.enum.length : 0;
  return { all: 1 + members / 8, each: closed ? names / 4 : 0 };
}
