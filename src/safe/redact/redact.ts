/** Takes secrets out of what is stored, logged or shown: by names of fields and by the look of values. */
import type { Json } from "../../core/input/json.ts";
import { redactAssignments } from "./assignments.ts";
import { redactCredentials } from "./credentials-in-text.ts";
import { fitsDigits, isCard, redactCards } from "./digits.ts";
import { redactEncoded } from "./encoded.ts";
import { withoutInvisible } from "./invisible.ts";
import { createKnownSecrets } from "./known-secrets.ts";
import { looksRandom } from "./looks-random.ts";
import { createMark, isMarked, type Mark } from "./mark.ts";
import { redactMarkup } from "./markup.ts";
import { mayHoldSecretIn } from "./may-hold-secret.ts";
import { createSecretNames, type NameJudge, type SecretName } from "./secret-name.ts";
import { redactStatements } from "./statements.ts";
import { redactShapes } from "./token-shapes.ts";
import { isReference } from "./value-look.ts";

export interface RedactorOptions {
  /** Exact values to take out wherever they stand, also when encoded; from six characters. */
  readonly secrets?: readonly string[];
  /** Adds a keyed digest to each mark, so that equal secrets can be told to be equal. */
  readonly correlationKey?: string | Uint8Array;
}

export interface Redacted {
  readonly value: Json;
  readonly count: number;
}

export interface Redactor {
  /** The same value where nothing was found; otherwise a copy. Never throws and never changes its input. */
  redact(value: Json): Redacted;
  redactText(text: string): string;
  /** True: the value with this JSON certainly holds nothing to take out. Fast, and in doubt false. */
  isClean(json: string): boolean;
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const known = createKnownSecrets(options.secrets ?? []);
  const write = createMark(options.correlationKey);
  const judge = createSecretNames();
  const asItIs = (text: string, mark: Mark, depth = 0): string => {
    let rest = known(text, mark);
    if (text.length < shortestSecret) return rest;
    rest = redactShapes(redactCredentials(rest, mark), mark);
    if (depth < mostEncodings) {
      rest = redactEncoded(rest, mark, (plain) => asItIs(plain, unmarked, depth + 1) !== plain);
    }
    rest = redactCards(redactMarkup(rest, judge, mark), mark);
    return redactAssignments(redactStatements(rest, judge, mark), judge, mark);
  };
  const inText = (text: string, mark: Mark): string => {
    const clean = asItIs(text, mark);
    const visible = withoutInvisible(clean);
    if (visible === clean) return clean;
    // What nobody sees may hide a key; where it hides none, it stays.
    const seen = asItIs(visible, mark);
    return seen === visible ? clean : seen;
  };
  return {
    redact(value) {
      const walk = new Walk(judge, inText, write);
      try {
        return { value: walk.value(value, 0), count: walk.count };
      } catch {
        // Something that only looked like JSON (a throwing getter): what cannot be read may hold a secret.
        return { value: "[redacted:unreadable]", count: walk.count + 1 };
      }
    },
    redactText: (text) => inText(text, write),
    isClean: (json) => !mayHoldSecretIn(json) && known(json, write) === json,
  };
}

const plain = createRedactor();

export function redact(value: Json): Redacted {
  return plain.redact(value);
}

export function redactText(text: string): string {
  return plain.redactText(text);
}

/** By names and looks alone, with no values that are known. */
export const redactorByLook: Redactor = plain;

/** `k=v` is the least that a pattern could find. */
const shortestSecret = 6;
/** Base64 of base64. */
const mostEncodings = 2;
const unmarked: Mark = (kind) => `[redacted:${kind}]`;
const maxDepth = 256;
const maxNodes = 4_000_000;

/** One walk through one value, counting what it takes out. */
class Walk {
  count = 0;
  #nodes = 0;
  readonly #judge: NameJudge;
  readonly #inText: (text: string, mark: Mark) => string;
  readonly #mark: Mark;

  constructor(judge: NameJudge, inText: (text: string, mark: Mark) => string, write: Mark) {
    this.#judge = judge;
    this.#inText = inText;
    this.#mark = (kind, secret) => {
      this.count += 1;
      return write(kind, secret);
    };
  }

  value(value: Json, depth: number): Json {
    if (typeof value === "string") return this.#inText(value, this.#mark);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    this.#nodes += 1;
    // Deeper than any record needs, or shared without end: closed, because nobody looked at it.
    if (depth >= maxDepth || this.#nodes > maxNodes) return this.#mark("too-deep", "");
    return Array.isArray(value)
      ? this.#array(value, depth)
      : this.#object(value as { readonly [key: string]: Json }, depth);
  }

  #number(value: number): Json {
    return value > 1e11 && Number.isSafeInteger(value) && isCard(String(value))
      ? this.#mark("card-number", String(value))
      : value;
  }

  #array(list: readonly Json[], depth: number): Json {
    let copy: Json[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index] as Json;
      const named = this.#namedByNeighbour(list, index);
      const clean = named === undefined ? this.value(item, depth + 1) : this.#named(item, named, depth + 1);
      if (clean !== item) copy ??= list.slice();
      if (copy !== undefined) copy[index] = clean;
    }
    return copy ?? list;
  }

  /** `["--password", "x"]` and `["Authorization", "Bearer x"]`: the item before is the name. */
  #namedByNeighbour(list: readonly Json[], index: number): SecretName | undefined {
    const before = list[index - 1];
    if (typeof before !== "string" || before.length > 64) return undefined;
    if (flag.test(before)) return this.#judge(before);
    return list.length === 2 && header.test(before) ? this.#judge(before) : undefined;
  }

  #object(object: { readonly [key: string]: Json }, depth: number): Json {
    const sibling = this.#namedBySibling(object);
    let changed: Map<string, readonly [key: string, value: Json]> | undefined;
    for (const key of Object.keys(object)) {
      const item = object[key] as Json;
      const named = (key === "value" ? sibling : undefined) ?? this.#judge(key);
      const clean = named === undefined ? this.value(item, depth + 1) : this.#named(item, named, depth + 1);
      const cleanKey = key.length < shortestSecret ? key : this.#inText(key, this.#mark);
      if (clean === item && cleanKey === key) continue;
      changed ??= new Map();
      changed.set(key, [cleanKey, clean]);
    }
    return changed === undefined ? object : copyWith(object, changed);
  }

  /** `{name: "Authorization", value: "Bearer x"}`: the name is beside the value. */
  #namedBySibling(object: { readonly [key: string]: Json }): SecretName | undefined {
    if (object.value === undefined) return undefined;
    const name = object.name ?? object.key ?? object.header;
    return typeof name === "string" && name.length <= 128 ? this.#judge(name) : undefined;
  }

  #named(value: Json, secret: SecretName, depth: number): Json {
    if (typeof value === "string") {
      if (value === "" || isMarked(value)) return value;
      if (isReference(value)) return this.#inText(value, this.#mark);
      if (secret.when === "random" && !looksRandom(value)) return this.#inText(value, this.#mark);
      if (secret.when === "digits" && !fitsDigits(secret.kind, value)) return this.#inText(value, this.#mark);
      return this.#mark(secret.kind, value);
    }
    if (typeof value === "number") {
      const isSecret =
        secret.when === "always" || (secret.when === "digits" && fitsDigits(secret.kind, String(value)));
      return isSecret ? this.#mark(secret.kind, String(value)) : this.#number(value);
    }
    // `auth` and `session` have fields with names of their own; all of `cookies` and `secrets` is secret.
    const isAll = secret.when !== "random" && secret.when !== "digits" && !structured.has(secret.kind);
    if (typeof value !== "object" || value === null || !isAll) return this.value(value, depth);
    this.#nodes += 1;
    if (depth >= maxDepth || this.#nodes > maxNodes) return this.#mark("too-deep", "");
    if (Array.isArray(value)) return value.map((item: Json) => this.#named(item, secret, depth + 1));
    const object = value as { readonly [key: string]: Json };
    const changed = new Map<string, readonly [key: string, value: Json]>();
    for (const key of Object.keys(object)) {
      changed.set(key, [this.#inText(key, this.#mark), this.#named(object[key] as Json, secret, depth + 1)]);
    }
    return copyWith(object, changed);
  }
}

const structured: ReadonlySet<string> = new Set(["auth", "session", "bearer", "jwt"]);
const flag = /^--?[A-Za-z][\w.-]*$/;
const header = /^[A-Za-z][\w-]*$/;

function copyWith(
  object: { readonly [key: string]: Json },
  changed: ReadonlyMap<string, readonly [key: string, value: Json]>,
): Json {
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(object)) {
    const [wanted, value] = changed.get(key) ?? [key, object[key] as Json];
    let name = wanted;
    for (let twin = 2; Object.hasOwn(copy, name); twin += 1) name = `${wanted}~${twin}`;
    // By definition, not assignment: an own key named __proto__ must stay a key.
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
