/**
 * Keeps the validator from mixing up what was evaluated: it notes members also for parts that fail, and of
 * other values.
 */

import type { JsonObject } from "../../core/input/json.ts";
import type { CopiedNode } from "./schema-copy.ts";
import { isObject } from "./schema-keywords.ts";

/** Changes the nodes in place, and lists those it has to put between them. */
export function separateEvaluated(nodes: readonly CopiedNode[]): readonly CopiedNode[] {
  if (!nodes.some(({ schema }) => UNEVALUATED.some((word) => schema[word] !== undefined))) return [];
  const added: CopiedNode[] = [];
  for (const { schema, path } of nodes) {
    const add = (between: Record<string, unknown>): Record<string, unknown> => {
      added.push({ schema: between, path, targets: [] });
      return between;
    };
    // A branch of `anyOf` does not see what was noted before, and what it notes is kept only if it holds.
    for (const word of ["if", "then", "else"])
      if (isObject(schema[word])) schema[word] = add({ anyOf: [schema[word]] });
    for (const word of ["dependentSchemas", "dependencies"])
      if (isObject(schema[word])) schema[word] = mapValues(schema[word], (part) => add({ anyOf: [part] }));
    // Of what is inside of `not`, nothing is kept; twice `not` says the same as none.
    for (const word of ["contains", ...UNEVALUATED])
      if (isObject(schema[word])) schema[word] = add({ not: add({ not: schema[word] }) });
    // The validator takes the items of a list for properties; here all of them are noted before it looks.
    if (schema.unevaluatedProperties !== undefined && schema.type !== "object")
      schema.allOf = [
        ...((schema.allOf as unknown[] | undefined) ?? []),
        add({ anyOf: [{ not: { type: "array" } }, { type: "array", unevaluatedProperties: true }] }),
      ];
  }
  return added;
}

function mapValues(map: JsonObject, change: (schema: JsonObject) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(map).map(([key, part]) => [key, isObject(part) ? change(part) : part]),
  );
}

const UNEVALUATED = ["unevaluatedItems", "unevaluatedProperties"];
