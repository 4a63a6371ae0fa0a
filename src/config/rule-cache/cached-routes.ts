/** Routes as the cache keeps them: what every call looks at in columns, the rest read when a route is a candidate. */
import type { RuleRef } from "../../core/errors.ts";
import { type RoleName, roleOfField } from "../../core/input-roles.ts";
import type { SafePattern } from "../../core/pattern.ts";
import type { RequiredText } from "../../rules/required-text.ts";
import type { CompiledRoute, Route } from "../../rules/routes.ts";
import { KnownPattern, type QuickTries } from "./known-pattern.ts";
import {
  between,
  bits,
  padded,
  type Range,
  type RouteBody,
  regionHeadWords,
  regionMagic,
  routeActions,
  wordsPerRoute,
} from "./layout.ts";

export interface BodyReader {
  /** Throws when the file does not hold it. */
  readBody(range: Range): unknown;
  readonly fields: readonly string[];
  readonly tries: QuickTries;
}

/** Undefined: the bytes are not a region of routes. In the order of all routes. */
export function readRoutes(regions: readonly Buffer[], reader: BodyReader): CachedRoute[] | undefined {
  const all: CachedRoute[] = [];
  for (const bytes of regions) {
    const columns = readColumns(bytes);
    if (columns === undefined) return undefined;
    for (let index = 0; index < columns.count; index++) all.push(new CachedRoute(columns, index, reader));
  }
  return regions.length > 1 ? all.sort((a, b) => a.order - b.order) : all;
}

interface Columns {
  readonly count: number;
  readonly words: Uint32Array;
  readonly fields: Uint16Array;
  readonly bits: Uint8Array;
  readonly needs: readonly string[];
}

function readColumns(bytes: Buffer): Columns | undefined {
  const { buffer, byteOffset, length } = bytes;
  if (length < regionHeadWords * 4) return undefined;
  const [mark, count = 0, needsBytes = 0, isAscii] = new Uint32Array(buffer, byteOffset, regionHeadWords);
  const fieldsAt = (regionHeadWords + wordsPerRoute * count) * 4;
  const bitsAt = fieldsAt + padded(count * 2);
  const needsAt = bitsAt + padded(count);
  if (mark !== regionMagic || count === 0 || needsAt + needsBytes !== length) return undefined;
  const needs = bytes.toString(isAscii === 1 ? "latin1" : "utf8", needsAt).split(between.routes);
  if (needs.length !== count) return undefined;
  return {
    count,
    words: new Uint32Array(buffer, byteOffset, fieldsAt / 4),
    fields: new Uint16Array(buffer, byteOffset + fieldsAt, count),
    bits: new Uint8Array(buffer, byteOffset + bitsAt, count),
    needs,
  };
}

class CachedRoute implements CompiledRoute {
  readonly #columns: Columns;
  readonly #index: number;
  readonly #reader: BodyReader;
  #loaded: { readonly route: Route; readonly ref: RuleRef; readonly pattern: SafePattern } | undefined;

  constructor(columns: Columns, index: number, reader: BodyReader) {
    this.#columns = columns;
    this.#index = index;
    this.#reader = reader;
  }

  get order(): number {
    return this.#word(0);
  }

  get action(): CompiledRoute["action"] {
    const action = routeActions[this.#bits & 3];
    if (action === undefined) throw new Error("The rule cache holds a route with no action.");
    return action;
  }

  get tierOrder(): number {
    return (this.#bits >> bits.tier) & 7;
  }

  get field(): string | undefined {
    const number = this.#columns.fields[this.#index] as number;
    if (number === 0) return undefined;
    const field = this.#reader.fields[number - 1];
    if (field === undefined)
      throw new Error("The rule cache holds a route for a field that it does not name.");
    return field;
  }

  get role(): RoleName | undefined {
    const { field } = this;
    return field === undefined ? undefined : roleOfField(field);
  }

  get needs(): RequiredText | undefined {
    const text = this.#columns.needs[this.#index] as string;
    if (text === "") return undefined;
    if (((this.#bits >> bits.several) & 1) === 0) return text;
    return text.split(between.all).map((all) => {
      const any = all.split(between.any);
      return any.length === 1 ? all : any;
    });
  }

  get foldsCase(): boolean {
    return ((this.#bits >> bits.foldsCase) & 1) === 1;
  }

  get route(): Route {
    return this.#load().route;
  }

  get ref(): RuleRef {
    return this.#load().ref;
  }

  get pattern(): SafePattern {
    return this.#load().pattern;
  }

  get #bits(): number {
    return this.#columns.bits[this.#index] as number;
  }

  #word(which: number): number {
    return this.#columns.words[regionHeadWords + wordsPerRoute * this.#index + which] as number;
  }

  #load() {
    this.#loaded ??= this.#readBody();
    return this.#loaded;
  }

  #readBody() {
    const body = this.#reader.readBody({ at: this.#word(1), length: this.#word(2) }) as RouteBody;
    const route = body.route as Route;
    const { source, flags } = body;
    const written = { source: route.pattern, flags: route.flags };
    const linear = ((this.#bits >> bits.linear) & 1) === 1;
    const pattern = new KnownPattern({ written, source, flags, linear }, this.#reader.tries);
    return { route, ref: body.ref as RuleRef, pattern };
  }
}
