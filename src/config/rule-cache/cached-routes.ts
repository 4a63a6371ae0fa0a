/** Routes as the cache keeps them: columns for every call, the rest read when a route is a candidate. */
import type { RuleRef } from "../../core/call/errors.ts";
import { type RoleName, roleOfField } from "../../core/input/input-roles.ts";
import type { SafePattern } from "../../core/ports/pattern.ts";
import { type CallerTest, compileCaller } from "../../rules/caller-test.ts";
import type { RequiredText } from "../../rules/conditions/required-text.ts";
import type { RouteList } from "../../rules/find-route.ts";
import type { CompiledRoute, Route } from "../../rules/routes.ts";
import { KnownPattern, type QuickTries } from "./known-pattern.ts";
import {
  between,
  bits,
  type Range,
  type RegionOfRoutes,
  type RouteBody,
  regionHeadWords,
  regionMagic,
  routeActions,
  wordsPerRoute,
} from "./layout.ts";
import { TextIndex } from "./text-index.ts";

export interface RouteReader {
  readonly fields: readonly string[];
  readonly tries: QuickTries;
  /** Both throw when the file does not hold it. */
  readBytes(range: Range): Buffer;
  readBody(range: Range): unknown;
}

/** All routes for some tools. Nothing but the index is read until a route is possible. */
export class CachedRoutes implements RouteList {
  readonly length: number;
  readonly #regions: readonly Region[];

  constructor(regions: readonly RegionOfRoutes[], reader: RouteReader) {
    this.#regions = regions.map((region) => new Region(region, reader));
    this.length = this.#regions.reduce((sum, { index }) => sum + index.count, 0);
  }

  possible(usualTexts: readonly string[]): readonly CompiledRoute[] {
    return this.#inOrder((region) => region.index.possible(usualTexts));
  }

  [Symbol.iterator](): Iterator<CompiledRoute> {
    return this.#inOrder(({ index }) => [...new Array(index.count).keys()])[Symbol.iterator]();
  }

  #inOrder(choose: (region: Region) => readonly number[]): CachedRoute[] {
    const chosen = this.#regions.flatMap((region) => choose(region).map((number) => region.route(number)));
    return this.#regions.length > 1 ? chosen.sort((a, b) => a.order - b.order) : chosen;
  }
}

class Region {
  readonly index: TextIndex;
  readonly #range: Range;
  readonly #reader: RouteReader;
  readonly #routes = new Map<number, CachedRoute>();
  #isChecked = false;

  constructor(region: RegionOfRoutes, reader: RouteReader) {
    this.index = new TextIndex(reader.readBytes(region.index));
    this.#range = region;
    this.#reader = reader;
  }

  /** The same object each time: a call that was rewritten meets its routes again. */
  route(number: number): CachedRoute {
    this.#check();
    const route = this.#routes.get(number) ?? new CachedRoute(this.#range, number, this.#reader);
    this.#routes.set(number, route);
    return route;
  }

  #check(): void {
    if (this.#isChecked) return;
    const { at, length } = this.#range;
    const [mark, count = 0] = wordsOf(this.#reader.readBytes({ at, length: regionHeadWords * 4 }));
    const end = (regionHeadWords + wordsPerRoute * count) * 4;
    if (mark !== regionMagic || count !== this.index.count || end > length)
      throw new Error("The rule cache is damaged.");
    this.#isChecked = true;
  }
}

function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

class CachedRoute implements CompiledRoute {
  /** Where the region lies, in which the places of needs are counted. */
  readonly #region: Range;
  readonly #words: Uint32Array;
  readonly #reader: RouteReader;
  #loaded: Pick<CompiledRoute, "route" | "ref" | "pattern" | "caller"> | undefined;

  constructor(region: Range, number: number, reader: RouteReader) {
    this.#region = region;
    const at = region.at + (regionHeadWords + wordsPerRoute * number) * 4;
    this.#words = wordsOf(reader.readBytes({ at, length: wordsPerRoute * 4 }));
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

  get caller(): CallerTest | undefined {
    return this.#load().caller;
  }

  get tierOrder(): number {
    return (this.#bits >> bits.tier) & 7;
  }

  get field(): string | undefined {
    const number = this.#word(5) >>> 8;
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
    const at = this.#word(3);
    const length = this.#word(4);
    if (length === 0) return undefined;
    if (at + length > this.#region.length) throw new Error("The rule cache is damaged.");
    const text = this.#reader.readBytes({ at: this.#region.at + at, length }).toString("utf8");
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
    return this.#word(5) & 0xff;
  }

  #word(which: number): number {
    return this.#words[which] as number;
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
    return { route, ref: body.ref as RuleRef, pattern, caller: compileCaller(route.caller) };
  }
}
