/**
 * The copy of a schema that the validator runs: only words that check something, and every reference already
 * resolved, so that there is one reading of names and not two.
 */

import type { Json, JsonObject } from "../../core/input/json.ts";
import { counts, MAX_SUBSCHEMAS, type SchemaPart, type SchemaReading } from "./schema-bounds.ts";
import { isObject, type SchemaNode } from "./schema-keywords.ts";
import type { Resource } from "./schema-resources.ts";
import { separateEvaluated } from "./schema-unevaluated.ts";

export interface SchemaCopy {
  readonly schema: SchemaNode;
  readonly nodes: readonly CopiedNode[];
}

export interface CopiedNode {
  readonly schema: Record<string, unknown>;
  /** Where the author wrote it. */
  readonly path: string;
  /** What it refers to. */
  readonly targets: readonly unknown[];
}

/** Where the copy holds what is referred to. */
const TARGETS = "targets";

export function copySchema(
  root: SchemaNode,
  reading: Extract<SchemaReading, { ok: true }>,
): SchemaCopy | undefined {
  if (!isObject(root)) return { schema: root, nodes: [] };
  const copier = new Copier(reading);
  const schema = copier.copy(root);
  return schema && { schema, nodes: [...copier.nodes, ...separateEvaluated(copier.nodes)] };
}

/** For each dynamic name the schema that the outermost resource on the way gives it. */
type Scope = ReadonlyMap<string, JsonObject>;

class Copier {
  readonly nodes: (CopiedNode & { readonly targets: unknown[] })[] = [];
  readonly #parts: ReadonlyMap<Json, SchemaPart>;
  readonly #dynamic: ReadonlySet<string>;
  /** By what is referred to: in each scope it is another schema. */
  readonly #targets = new Map<Json, Map<string, Target>>();
  readonly #list: Target[] = [];
  readonly #referred = new Set<Json>();
  readonly #numbers = new Map<JsonObject, number>();

  constructor({ parts, resources }: Extract<SchemaReading, { ok: true }>) {
    this.#parts = parts;
    for (const { references } of parts.values())
      for (const { target } of references) this.#referred.add(target);
    this.#dynamic = changing(parts, resources);
  }

  copy(root: JsonObject): JsonObject | undefined {
    const whole = this.#target(root, new Map());
    // The list grows while references are met.
    for (const target of this.#list) {
      if (isObject(target.of)) this.#fill(target.copy as Record<string, unknown>, target.of, target.scope);
      if (this.nodes.length > 2 * MAX_SUBSCHEMAS) return undefined;
    }
    const copied = whole.copy as Record<string, unknown>;
    // Without it the validator takes the schema for one of an old draft, and searches it all at each
    // reference.
    copied.$schema = "https://json-schema.org/draft/2020-12/schema";
    if (this.#list.length > 1) copied[TARGETS] = this.#list.map(({ copy }) => copy).with(0, true);
    return copied as JsonObject;
  }

  #fill(into: Record<string, unknown>, schema: JsonObject, outer: Scope): void {
    const part = this.#parts.get(schema) as SchemaPart;
    const scope = this.#enter(part.resource, outer);
    const node = { schema: into, path: part.path, targets: [] as unknown[] };
    this.nodes.push(node);
    if (this.nodes.length > 2 * MAX_SUBSCHEMAS) return;
    const children = new Set(part.children.map((child) => child.schema));
    const copy = (value: Json): unknown => {
      if (Array.isArray(value)) return value.map(copy);
      return isObject(value) && children.has(value) ? this.#inPlace(value, scope) : value;
    };
    for (const [word, value] of Object.entries(schema)) {
      if (!CHECKING.has(word) || !counts(word, schema, part.resource)) continue;
      if (MAPS.has(word))
        into[word] = Object.fromEntries(
          Object.entries(value as JsonObject).map(([key, sub]) => [key, copy(sub)]),
        );
      else into[word] = word === "const" || word === "enum" ? value : copy(value);
    }
    const references = part.references.map(({ target, dynamic }) => {
      const found = this.#target((dynamic && scope.get(dynamic)) || target, scope);
      node.targets.push(found.copy);
      return { $ref: found.address };
    });
    if (references[0] !== undefined) into.$ref = references[0].$ref;
    if (references.length > 1)
      into.allOf = [...((into.allOf as unknown[] | undefined) ?? []), ...references.slice(1)];
  }

  /** What something else refers to is copied once, and referred to in its own place, too. */
  #inPlace(schema: JsonObject, scope: Scope): unknown {
    const into: Record<string, unknown> = {};
    if (!this.#referred.has(schema)) {
      this.#fill(into, schema, scope);
      return into;
    }
    const { address, copy } = this.#target(schema, scope);
    into.$ref = address;
    this.nodes.push({ schema: into, path: (this.#parts.get(schema) as SchemaPart).path, targets: [copy] });
    return into;
  }

  #target(of: SchemaNode, outer: Scope): Target {
    const part = this.#parts.get(of);
    const scope = part === undefined ? outer : this.#enter(part.resource, outer);
    const key = [...scope].map(([name, schema]) => `${this.#number(schema)} ${name}`).join("\n");
    const known = this.#targets.get(of) ?? new Map<string, Target>();
    this.#targets.set(of, known);
    const found = known.get(key);
    if (found !== undefined) return found;
    const address = this.#list.length === 0 ? "#" : `#/${TARGETS}/${this.#list.length}`;
    const target: Target = { of, scope, address, copy: isObject(of) ? {} : of };
    known.set(key, target);
    this.#list.push(target);
    return target;
  }

  #enter(resource: Resource, outer: Scope): Scope {
    let scope: Map<string, JsonObject> | undefined;
    for (const [name, { schema, dynamic }] of resource.anchors) {
      if (!dynamic || !this.#dynamic.has(name) || outer.has(name)) continue;
      scope ??= new Map(outer);
      scope.set(name, schema);
    }
    return scope ?? outer;
  }

  #number(schema: JsonObject): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }
}

interface Target {
  readonly of: SchemaNode;
  readonly scope: Scope;
  readonly address: string;
  readonly copy: unknown;
}

/** Dynamic names that are asked for and have more than one owner; all others always mean the same. */
function changing(parts: ReadonlyMap<Json, SchemaPart>, resources: Iterable<Resource>): ReadonlySet<string> {
  const owners = new Map<string, number>();
  for (const { anchors } of resources)
    for (const [name, { dynamic }] of anchors) if (dynamic) owners.set(name, (owners.get(name) ?? 0) + 1);
  const asked = [...parts.values()].flatMap(({ references }) => references.map(({ dynamic }) => dynamic));
  return new Set(asked.filter((name) => name !== undefined && (owners.get(name) ?? 0) > 1) as string[]);
}

/**
 * Whatever else a schema says is not for the validator, which has words of its own that no stranger may use.
 */
const CHECKING = new Set([
  ...["type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minLength", "maxLength", "pattern", "format", "items", "prefixItems", "additionalItems", "contains"],
  ...["minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems"],
  ...["properties", "patternProperties", "additionalProperties", "propertyNames", "required"],
  ...["minProperties", "maxProperties", "dependencies", "dependentRequired", "dependentSchemas"],
  ...["unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
]);
const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "dependencies"]);
