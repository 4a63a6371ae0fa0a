/** The names inside a JSON Schema (`$id`, `$anchor`, ...): who owns them, and where a reference leads. */

import type { Json, JsonObject } from "../../core/input/json.ts";
import { quietly } from "../../core/run/quietly.ts";
import { isObject, pointerKeys } from "./schema-keywords.ts";

/** A schema with an `$id`, or the whole one: names and `#` belong to it alone. */
export interface Resource {
  readonly root: JsonObject;
  readonly base: string;
  /** In draft-07 a `$ref` stands alone, and later keywords mean nothing. */
  readonly draft07: boolean;
  readonly anchors: Map<string, Anchor>;
}

interface Anchor {
  readonly schema: JsonObject;
  /** By `$dynamicAnchor`: the outermost resource on the way that has the name, too, takes its place. */
  readonly dynamic: boolean;
}

export type Found =
  | { readonly at: "outside" | "nowhere" }
  | {
      readonly at: "here";
      readonly schema: Json;
      readonly resource: Resource;
      /** The name by which a dynamic reference found it. */
      readonly dynamic?: string;
    };

/** No anchor can have this name: it stands for `$recursiveAnchor: true`. */
const RECURSIVE = "#";
const BASE = "toolgate:/";
const KNOWN_DRAFT = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/;

export class Resources {
  readonly #byAddress = new Map<string, Resource>();

  get all(): Iterable<Resource> {
    return this.#byAddress.values();
  }

  /** The resource that the schema belongs to, after its names are entered; or what is wrong with them. */
  enter(schema: JsonObject, parent: Resource | undefined): Resource | string {
    // Beside a `$ref`, draft-07 reads nothing, the `$id` included.
    const draft07 = parent?.draft07 ?? isDraft07(schema.$schema);
    if (parent !== undefined && draft07 && typeof schema.$ref === "string") return parent;
    const own = this.#own(schema, parent);
    if (typeof own === "string") return own;
    const [, name] = splitAt(typeof schema.$id === "string" ? schema.$id : "");
    const names: [string, unknown, boolean][] = [["$id", name === "" ? undefined : name, false]];
    if (!own.draft07) {
      names.push(["$anchor", schema.$anchor, false], ["$dynamicAnchor", schema.$dynamicAnchor, true]);
      if (schema === own.root && schema.$recursiveAnchor === true)
        own.anchors.set(RECURSIVE, { schema, dynamic: true });
    }
    for (const [word, value, dynamic] of names) {
      // No reference finds a name like `#/items`: after `#/` comes a path.
      if (typeof value !== "string" || /^[/#]/.test(value)) continue;
      const taken = own.anchors.get(value);
      // Which of two owners is meant, nobody can say.
      if (taken !== undefined && taken.schema !== schema) return usedTwice(word, value);
      own.anchors.set(value, { schema, dynamic: dynamic || taken?.dynamic === true });
    }
    return own;
  }

  /** `home` knows the resource of each schema that was entered: a pointer may cross from one into another. */
  find(word: string, reference: string, from: Resource, home: (schema: Json) => Resource | undefined): Found {
    const [address, fragment] = splitAt(reference);
    const absolute = address === "" ? undefined : toUrl(address, from.base);
    const resource = address === "" ? from : absolute && this.#byAddress.get(absolute);
    if (!resource) return { at: "outside" };
    if (fragment === undefined || fragment === "") {
      const recursive = word === "$recursiveRef" && resource.anchors.has(RECURSIVE);
      return { at: "here", schema: resource.root, resource, ...(recursive && { dynamic: RECURSIVE }) };
    }
    const name = quietly(() => decodeURIComponent(fragment));
    if (name === undefined) return { at: "nowhere" };
    if (name.startsWith("/")) return follow(resource, name, home);
    const anchor = resource.anchors.get(name);
    if (anchor === undefined) return { at: "nowhere" };
    const dynamic = word === "$dynamicRef" && anchor.dynamic;
    return { at: "here", schema: anchor.schema, resource, ...(dynamic && { dynamic: name }) };
  }

  #own(schema: JsonObject, parent: Resource | undefined): Resource | string {
    const [address] = splitAt(typeof schema.$id === "string" ? schema.$id : "");
    if (parent !== undefined && address === "") return parent;
    const base = toUrl(address, parent?.base ?? BASE);
    if (base === undefined) return `$id "${address.slice(0, 80)}" is no address`;
    // The way draft-07 names a part of a resource by its full address.
    if (base === parent?.base && String(schema.$id).includes("#")) return parent;
    const draft = schema.$schema;
    if (typeof draft === "string" && !KNOWN_DRAFT.test(draft))
      return `"$schema" names ${draft.slice(0, 80)}, which is not known here: use 2020-12 or draft-07`;
    if (this.#byAddress.has(base)) return usedTwice("$id", address);
    const draft07 = draft === undefined ? parent?.draft07 === true : isDraft07(draft);
    const resource: Resource = { root: schema, base, draft07, anchors: new Map() };
    this.#byAddress.set(base, resource);
    return resource;
  }
}

function isDraft07(draft: Json | undefined): boolean {
  return typeof draft === "string" && /draft-0[67]\//.test(draft);
}

function follow(from: Resource, pointer: string, home: (schema: Json) => Resource | undefined): Found {
  let value: Json = from.root;
  let resource = from;
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return { at: "nowhere" };
    // Values to compare with are no schemas, whatever they look like.
    if (home(value) !== undefined && (key === "const" || key === "enum")) return { at: "nowhere" };
    value = (value as JsonObject)[key] as Json;
    if (isObject(value)) resource = home(value) ?? resource;
  }
  return { at: "here", schema: value, resource };
}

function usedTwice(word: string, name: string): string {
  return `${word} "${name.slice(0, 80)}" is used twice`;
}

function splitAt(text: string): [string, string | undefined] {
  const index = text.indexOf("#");
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function toUrl(address: string, base: string): string | undefined {
  return quietly(() => new URL(address, base).href.replace(/#$/, ""));
}
