/** Reads a JSON Schema before anything is compiled: its size, its form, where its references lead, what checking may cost. */

import type { Json, JsonObject } from "../core/json.ts";
import { isObject, isSchema, readKeyword, type SchemaNode, type SubSchema, step } from "./schema-keywords.ts";

export const MAX_SUBSCHEMAS = 2_000;
export const MAX_SCHEMA_DEPTH = 64;

export interface SchemaFacts {
  /** Every object that can act as a schema, those in unusual places that only a `$ref` reaches included. */
  readonly nodes: readonly { readonly schema: JsonObject; readonly path: string }[];
  /** Checks may take long: recursion, or many sub-schemas for each item of a value. */
  readonly costly: boolean;
}

export type SchemaReading =
  | { readonly ok: true; readonly facts: SchemaFacts }
  | { readonly ok: false; readonly message: string };

export function inspectSchema(root: SchemaNode): SchemaReading {
  const reader = new Reader(root);
  const message = reader.read();
  return message === undefined ? { ok: true, facts: reader.facts() } : { ok: false, message };
}

interface Node {
  readonly schema: JsonObject;
  readonly path: string;
  readonly depth: number;
  /** The closest schema around it that has an `$id`: local references start there. */
  readonly resource: JsonObject;
  readonly children: { node: Node; applies: SubSchema["applies"] }[];
}

/** Above these a validation runs under a time budget. */
const MAX_EXPANDED = 500;
const MAX_EXPANDED_EACH = 40;

class Reader {
  readonly #root: SchemaNode;
  readonly #nodes = new Map<JsonObject, Node>();
  readonly #ids = new Map<string, JsonObject>();
  readonly #anchors = new Map<string, JsonObject>();
  #count = 0;
  #costly = false;

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  facts(): SchemaFacts {
    return { nodes: [...this.#nodes.values()], costly: this.#costly };
  }

  read(): string | undefined {
    if (!isObject(this.#root)) return undefined;
    const draft = this.#root.$schema;
    if (typeof draft === "string" && !KNOWN_DRAFT.test(draft)) {
      return `#: "$schema" names ${draft.slice(0, 80)}, which is not known here: use 2020-12 or draft-07`;
    }
    const wrong =
      this.#walk(this.#root, "#", 0, this.#root) ?? this.#followReferences() ?? this.#findHiddenNames();
    if (wrong !== undefined) return wrong;
    const root = this.#nodes.get(this.#root) as Node;
    if (this.#hasEndlessLoop())
      return `#: the schema refers to itself without ever reaching a part of the value`;
    this.#costly ||= this.#isCostly(root);
    return undefined;
  }

  #walk(schema: JsonObject, path: string, depth: number, resource: JsonObject): string | undefined {
    if (this.#nodes.has(schema)) return undefined;
    if (depth > MAX_SCHEMA_DEPTH) return `${cut(path)}: nested deeper than ${MAX_SCHEMA_DEPTH} schemas`;
    const own = typeof schema.$id === "string" && !schema.$id.startsWith("#") ? schema : resource;
    const node: Node = { schema, path, depth, resource: own, children: [] };
    this.#nodes.set(schema, node);
    const clash = this.#register(node);
    if (clash !== undefined) return clash;
    for (const name of Object.keys(schema)) {
      const found = readKeyword(name, schema[name] as Json, path + step(name));
      if (typeof found === "string") return found;
      this.#count += found.length;
      if (this.#count > MAX_SUBSCHEMAS) return `#: more than ${MAX_SUBSCHEMAS} sub-schemas`;
      for (const part of found) {
        if (!isObject(part.schema)) continue;
        const wrong = this.#walk(part.schema, part.path, depth + 1, own);
        if (wrong !== undefined) return wrong;
        node.children.push({ node: this.#nodes.get(part.schema) as Node, applies: part.applies });
      }
    }
    return undefined;
  }

  #register({ schema, path }: Node): string | undefined {
    for (const [name, table] of [
      ["$id", this.#ids],
      ["$anchor", this.#anchors],
      ["$dynamicAnchor", this.#anchors],
    ] as const) {
      const value = schema[name];
      if (typeof value !== "string") continue;
      const taken = table.get(value);
      // Two owners of one name would let our reading and the validator's differ.
      if (taken !== undefined && taken !== schema && name !== "$dynamicAnchor") {
        return `${cut(path)}: ${name} "${value.slice(0, 80)}" is used twice`;
      }
      table.set(value, schema);
    }
    return undefined;
  }

  #followReferences(): string | undefined {
    // The map grows while references lead to schemas in unusual places; a Map iterates those too.
    for (const node of this.#nodes.values()) {
      if (typeof node.schema.$dynamicRef === "string" || typeof node.schema.$recursiveRef === "string")
        this.#costly = true;
      for (const name of ["$ref", "$dynamicRef", "$recursiveRef"]) {
        const reference = node.schema[name];
        if (typeof reference !== "string") continue;
        const target = this.#resolve(reference, node);
        const where = `${cut(node.path)}: ${name} "${reference.slice(0, 80)}"`;
        if (target === REMOTE)
          return `${where} points outside the schema; it is never fetched: copy the definition into $defs`;
        if (!isSchema(target)) return `${where} points to nothing in this schema`;
        if (!isObject(target)) continue;
        const wrong = this.#walk(target, `${cut(reference)}`, node.depth > 0 ? 1 : 0, node.resource);
        if (wrong !== undefined) return wrong;
        node.children.push({ node: this.#nodes.get(target) as Node, applies: "same" });
      }
    }
    return undefined;
  }

  #resolve(reference: string, from: Node): unknown {
    const [address, fragment] = splitAt(reference, "#");
    const resource = address === "" ? from.resource : this.#resource(address, from);
    if (resource === undefined) return REMOTE;
    if (fragment === undefined || fragment === "") return resource;
    let decoded: string;
    try {
      decoded = decodeURIComponent(fragment);
    } catch {
      return undefined;
    }
    return decoded.startsWith("/")
      ? follow(resource, decoded)
      : (this.#anchors.get(decoded) ?? this.#ids.get(`#${decoded}`));
  }

  #resource(address: string, from: Node): JsonObject | undefined {
    const direct = this.#ids.get(address) ?? this.#ids.get(`${address}#`);
    if (direct !== undefined) return direct;
    const absolute = toUrl(address, toUrl(String(from.resource.$id ?? ""), BASE) ?? BASE);
    for (const [id, schema] of this.#ids) if (toUrl(id, BASE) === absolute) return schema;
    return undefined;
  }

  /** A name inside data (`default`, `examples`, ...) could be found by the validator as if it were a schema. */
  #findHiddenNames(): string | undefined {
    const queue: { value: Json; path: string }[] = [{ value: this.#root as JsonObject, path: "#" }];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { value, path } = next;
      if (typeof value !== "object" || value === null) continue;
      if (isObject(value) && !this.#nodes.has(value)) {
        const name = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"].find(
          (key) => typeof value[key] === "string" || value[key] === true,
        );
        if (name !== undefined)
          return `${cut(path)}: ${name} is only accepted in a schema, not in other data`;
      }
      for (const [key, part] of Object.entries(value))
        queue.push({ value: part as Json, path: path + step(key) });
    }
    return undefined;
  }

  #hasEndlessLoop(): boolean {
    const state = new Map<Node, "open" | "done">();
    const visit = (node: Node): boolean => {
      if (state.has(node)) return state.get(node) === "open";
      state.set(node, "open");
      const loops = node.children.some((child) => child.applies === "same" && visit(child.node));
      state.set(node, "done");
      return loops;
    };
    return [...this.#nodes.values()].some(visit);
  }

  #isCostly(root: Node): boolean {
    const sizes = new Map<Node, { all: number; each: number } | undefined>();
    const size = (node: Node): { all: number; each: number } => {
      if (sizes.has(node))
        return sizes.get(node) ?? { all: Number.POSITIVE_INFINITY, each: Number.POSITIVE_INFINITY };
      sizes.set(node, undefined);
      const own = weight(node.schema);
      const sum = { all: own.all, each: own.each };
      for (const { node: child, applies } of node.children) {
        if (applies === "none") continue;
        const part = size(child);
        sum.all += part.all;
        sum.each += applies === "each" ? part.all : part.each;
      }
      sizes.set(node, sum);
      return sum;
    };
    const { all, each } = size(root);
    return !(all <= MAX_EXPANDED && each <= MAX_EXPANDED_EACH);
  }
}

const REMOTE = Symbol("remote");
const BASE = "toolgate:/";
const KNOWN_DRAFT = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/;

/** Each key of a closed object is compared with all names, each value with all members of an enum. */
function weight(schema: JsonObject): { all: number; each: number } {
  const names = isObject(schema.properties) ? Object.keys(schema.properties).length : 0;
  const closed = schema.additionalProperties !== undefined && schema.additionalProperties !== true;
  const members = Array.isArray(schema.enum) ? schema.enum.length : 0;
  return { all: 1 + members / 8, each: closed ? names / 4 : 0 };
}

function follow(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function splitAt(text: string, separator: string): [string, string | undefined] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function toUrl(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href.replace(/#$/, "");
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
