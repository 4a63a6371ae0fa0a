/** Takes JSON from outside: one bounded pass makes plain, frozen data, which nobody can change later. */

import type { Json, JsonLimits, TakenJson } from "../../core/input/json.ts";
import { findRepeatedKey, measureJson } from "../../core/input/json-text.ts";
import { cutText } from "../../core/text/cut-text.ts";

export const JSON_LIMITS = { maxDepth: 64, maxKeys: 50_000, maxBytes: 4 * 1024 * 1024 } as const;

/** The copy is recursive: above this depth a larger limit would trade our message for a stack overflow. */
const DEEPEST_LIMIT = 512;

export function takeJson(value: unknown, limits?: JsonLimits): TakenJson {
  try {
    const flat = limits === undefined ? takeFlat(value) : undefined;
    if (flat !== undefined) return flat;
    const pass = new Pass(limits);
    const taken = pass.take(value, 0);
    if (taken === REFUSED) return pass.refusal();
    return { ok: true, value: taken as Json, bytes: pass.bytes };
  } catch {
    // Only foreign code (a proxy trap) can throw here; what it threw is not ours to read.
    return { ok: false, message: "the value could not be read: it is not plain data", path: "$" };
  }
}

export function parseJson(text: string, limits?: JsonLimits): TakenJson {
  const { maxDepth, maxKeys, maxBytes } = withDefaults(limits);
  const refuse = (message: string, path = "$"): TakenJson => ({ ok: false, message, path });
  if (typeof text !== "string") return refuse("expected JSON text");
  const bytes = text.length > maxBytes ? text.length : Buffer.byteLength(text);
  if (bytes > maxBytes) return refuse(`larger than ${maxBytes} bytes`);
  const shape = measureJson(text);
  if (shape.depth > maxDepth) return refuse(`nested deeper than ${maxDepth} levels`);
  if (shape.keys > maxKeys) return refuse(`more than ${maxKeys} keys`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`not valid JSON: ${cutText((error as Error).message, 80)}`);
  }
  // Nobody else holds what was just parsed: it is frozen as it is, and the gate makes the only copy of an
  // input.
  const pass = new Pass(limits, true);
  const taken = pass.take(value, 0);
  if (taken === REFUSED) return pass.refusal();
  // Of two equal keys JSON.parse keeps the last, other readers the first: we would judge something else.
  if (pass.keys !== shape.keys) {
    const name = findRepeatedKey(text);
    return refuse(`the key ${cutText(JSON.stringify(name), 80)} appears twice in one object: keep one`);
  }
  return { ok: true, value: taken as Json, bytes };
}

export const FLAT_KEYS = 64;
export const FLAT_CHARACTERS = 1_000;

/** Most inputs are small flat objects: one copy, one look at each value. Undefined: take the long way. */
function takeFlat(value: unknown): TakenJson | undefined {
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  const copy = { ...value } as Record<string, Json>;
  let keys = 0;
  let bytes = 2;
  for (const key in copy) {
    const member = copy[key];
    if (++keys > FLAT_KEYS || key === "__proto__") return undefined;
    if (typeof member === "string") {
      if (member.length > FLAT_CHARACTERS) return undefined;
      bytes += member.length + 2;
    } else if (typeof member === "number") {
      // Infinity and NaN minus themselves are NaN.
      if (member - member !== 0 || Object.is(member, -0)) return undefined;
      bytes += 8;
    } else if (typeof member === "boolean" || member === null) bytes += 5;
    else return undefined;
    bytes += key.length + 4;
  }
  return { ok: true, value: Object.freeze(copy), bytes };
}

const REFUSED = Symbol("refused");

class Pass {
  readonly maxDepth: number;
  readonly maxKeys: number;
  readonly maxBytes: number;
  readonly inPlace: boolean;
  bytes = 0;
  keys = 0;
  message = "";
  path = "";
  large = false;

  constructor(limits: JsonLimits | undefined, inPlace = false) {
    const all = limits === undefined ? JSON_LIMITS : withDefaults(limits);
    this.maxDepth = all.maxDepth;
    this.maxKeys = all.maxKeys;
    this.maxBytes = all.maxBytes;
    this.inPlace = inPlace;
  }

  take(value: unknown, depth: number): Json | typeof REFUSED {
    switch (typeof value) {
      case "string":
        // Short strings are counted as if ASCII: exact enough for a limit, and the common case stays fast.
        this.bytes += 2 + (value.length > 64 ? Buffer.byteLength(value) : value.length);
        return this.bytes > this.maxBytes ? this.tooLarge() : value;
      case "number":
        this.bytes += 8;
        if (value - value !== 0) return this.refuse(`${value} is not a JSON number`);
        return this.bytes > this.maxBytes ? this.tooLarge() : value + 0;
      case "boolean":
        this.bytes += 5;
        return this.bytes > this.maxBytes ? this.tooLarge() : value;
      case "object":
        if (value === null) {
          this.bytes += 4;
          return this.bytes > this.maxBytes ? this.tooLarge() : value;
        }
        if (depth >= this.maxDepth)
          return this.tooLarge(`nested deeper than ${this.maxDepth} levels (or a cycle)`);
        return Array.isArray(value) ? this.takeArray(value, depth) : this.takeObject(value, depth);
      case "undefined":
        return this.refuse("undefined is not JSON: leave the value out or use null");
      default:
        return this.refuse(`a ${typeof value} is not JSON`);
    }
  }

  private takeArray(source: readonly unknown[], depth: number): Json | typeof REFUSED {
    this.bytes += 2;
    const copy = this.inPlace ? (source as Json[]) : [];
    const length = source.length;
    for (let index = 0; index < length; index++) {
      const descriptor = Object.getOwnPropertyDescriptor(source, index);
      if (descriptor !== undefined && !("value" in descriptor)) return this.refuse(ACCESSOR, `[${index}]`);
      this.bytes += 1;
      const item = this.take(descriptor?.value, depth + 1);
      if (item === REFUSED) return this.under(`[${index}]`);
      copy[index] = item;
    }
    return Object.freeze(copy);
  }

  private takeObject(source: object, depth: number): Json | typeof REFUSED {
    const prototype: unknown = Object.getPrototypeOf(source);
    // Plain objects of another realm pass; class instances, dates and maps would lose data silently.
    if (prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      return this.refuse("not a plain object: pass plain data (a date as a string, a map as an object)");
    }
    const keys = Object.keys(source);
    this.keys += keys.length;
    this.bytes += 2;
    if (this.keys > this.maxKeys) return this.tooLarge(`more than ${this.maxKeys} keys`);
    const copy = this.inPlace ? (source as Record<string, Json>) : {};
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      // Assigning `__proto__` anywhere later would swap a prototype. `constructor` and `prototype` are
      // ordinary words (and ordinary argument names): harmless as own keys of data that nobody merges by
      // path.
      if (key === "__proto__") return this.refuse('the key "__proto__" is not accepted', ".__proto__");
      const descriptor = Object.getOwnPropertyDescriptor(source, key);
      // A getter could answer differently each time: once for the judge, once for the tool.
      if (descriptor === undefined || !("value" in descriptor)) return this.refuse(ACCESSOR, member(key));
      const value: unknown = descriptor.value;
      if (value === undefined) {
        this.keys -= 1;
        continue;
      }
      this.bytes += key.length + 4;
      const item = this.take(value, depth + 1);
      if (item === REFUSED) return this.under(member(key));
      copy[key] = item;
    }
    return Object.freeze(copy);
  }

  private refuse(message: string, path = ""): typeof REFUSED {
    this.message = message;
    this.path = path;
    return REFUSED;
  }

  private under(step: string): typeof REFUSED {
    this.path = step + this.path;
    return REFUSED;
  }

  private tooLarge(message = `larger than ${this.maxBytes} bytes`): typeof REFUSED {
    this.large = true;
    return this.refuse(message);
  }

  refusal(): TakenJson {
    // A path sixty levels deep says nothing that its start does not say.
    const path = `$${this.path.length > 80 ? `${this.path.slice(0, 60)}…` : this.path}`;
    return { ok: false, message: this.message, path, ...(this.large && { tooLarge: true }) };
  }
}

const ACCESSOR = "a getter or setter is not data: pass the value itself";

/** `.name`, or `["any text"]` where a name would be unclear. */
function member(key: string): string {
  return key.length <= 40 && /^[A-Za-z_$][\w$]*$/.test(key)
    ? `.${key}`
    : `[${cutText(JSON.stringify(key), 80)}]`;
}

function withDefaults(limits: JsonLimits | undefined): Required<JsonLimits> {
  const all = { ...JSON_LIMITS, ...limits };
  return { ...all, maxDepth: Math.min(all.maxDepth, DEEPEST_LIMIT) };
}
