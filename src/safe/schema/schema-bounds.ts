/** Reads a JSON Schema before anything is compiled: its size, its form, where its references lead. */

import type { Json, JsonObject } from "../../core/input/json.ts";
import { cutText } from "../../core/text/cut-text.ts";
import { isObject, isSchema, readKeyword, type SchemaNode, type SubSchema, step } from "./schema-keywords.ts";
import { type Resource, Resources } from "./schema-resources.ts";

export const MAX_SUBSCHEMAS = 2_000;
export const MAX_SCHEMA_DEPTH = 64;
const longestShown = 200;

/** An object that acts as a schema; those in unusual places that only a `$ref` reaches, too. */
export interface SchemaPart {
  readonly schema: JsonObject;
  readonly path: string;
  readonly depth: number;
  readonly resource: Resource;
  readonly children: readonly SubSchema[];
  readonly references: readonly Reference[];
}

export interface Reference {
  readonly target: SchemaNode;
  /** The name by which a dynamic reference found it; an outer resource that has the name takes its place. */
  readonly dynamic?: string;
}

export type SchemaReading =
  | {
      readonly ok: true;
      readonly parts: ReadonlyMap<Json, SchemaPart>;
      readonly resources: Iterable<Resource>;
    }
  | { readonly ok: false; readonly message: string };

export function inspectSchema(root: SchemaNode): SchemaReading {
  const reader = new Reader();
  const message = isObject(root) ? reader.read(root) : undefined;
  return message === undefined
    ? { ok: true, parts: reader.parts, resources: reader.resources.all }
    : { ok: false, message };
}

interface Growing extends SchemaPart {
  readonly children: SubSchema[];
  readonly references: Reference[];
}

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"];
/** Beside a `$ref`, draft-07 checks by nothing else; definitions are still pointed at. */
const BESIDE_REF = new Set(["$ref", "definitions", "$defs"]);
const AFTER_DRAFT_07 = new Set([
  ...["$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "prefixItems"],
  ...["minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties"],
  ...["dependentRequired", "dependentSchemas"],
]);

/** Whether the word means anything in this schema, by its draft. */
export function counts(word: string, schema: JsonObject, { draft07 }: Resource): boolean {
  if (!draft07) return true;
  return typeof schema.$ref === "string" ? BESIDE_REF.has(word) : !AFTER_DRAFT_07.has(word);
}

class Reader {
  readonly parts = new Map<Json, Growing>();
  readonly resources = new Resources();
  #count = 0;

  read(root: JsonObject): string | undefined {
    const whole = this.resources.enter(root, undefined);
    if (typeof whole === "string") return `#: ${whole}`;
    return this.#walk(root, "#", 0, whole) ?? this.#followReferences();
  }

  #walk(schema: JsonObject, path: string, depth: number, resource: Resource): string | undefined {
    if (this.parts.has(schema)) return undefined;
    if (depth > MAX_SCHEMA_DEPTH)
      return `${cutText(path, longestShown)}: nested deeper than ${MAX_SCHEMA_DEPTH} schemas`;
    const part: Growing = { schema, path, depth, resource, children: [], references: [] };
    this.parts.set(schema, part);
    for (const name of Object.keys(schema)) {
      if (!counts(name, schema, resource)) continue;
      const found = readKeyword(name, schema[name] as Json, path + step(name));
      if (typeof found === "string") return found;
      this.#count += found.length;
      if (this.#count > MAX_SUBSCHEMAS) return `#: more than ${MAX_SUBSCHEMAS} sub-schemas`;
      part.children.push(...found);
      for (const child of found) {
        if (!isObject(child.schema)) continue;
        const own = this.resources.enter(child.schema, resource);
        const wrong =
          typeof own === "string"
            ? `${cutText(child.path, longestShown)}: ${own}`
            : this.#walk(child.schema, child.path, depth + 1, own);
        if (wrong !== undefined) return wrong;
      }
    }
    return undefined;
  }

  #followReferences(): string | undefined {
    const home = (schema: Json) => this.parts.get(schema)?.resource;
    // The map grows while references lead to schemas in unusual places; a Map iterates those too.
    for (const part of this.parts.values()) {
      for (const name of REFERENCES) {
        const reference = part.schema[name];
        if (typeof reference !== "string" || !counts(name, part.schema, part.resource)) continue;
        const found = this.resources.find(name, reference, part.resource, home);
        const where = `${cutText(part.path, longestShown)}: ${name} "${reference.slice(0, 80)}"`;
        if (found.at === "outside")
          return `${where} points outside the schema; it is never fetched: copy the definition into $defs`;
        if (found.at !== "here" || !isSchema(found.schema))
          return `${where} points to nothing in this schema`;
        const { schema: target, dynamic } = found;
        part.references.push({ target, ...(dynamic !== undefined && { dynamic }) });
        if (!isObject(target) || this.parts.has(target)) continue;
        const own = this.resources.enter(target, found.resource);
        if (typeof own === "string") return `${where}: ${own}`;
        const wrong = this.#walk(target, cutText(reference, longestShown), part.depth > 0 ? 1 : 0, own);
        if (wrong !== undefined) return wrong;
      }
    }
    return undefined;
  }
}
