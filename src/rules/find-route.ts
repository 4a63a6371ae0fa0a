/** Finds the route that a call meets. The first match of a tier wins. Doubt counts against the call. */
import type { Caller } from "../core/call/call.ts";
import { commonTexts } from "../core/input/common-fields.ts";
import {
  type RoleIndex,
  type RoleName,
  type RoleValues,
  readRoles,
  roleOfField,
} from "../core/input/input-roles.ts";
import type { Json, JsonObject } from "../core/input/json.ts";
import { readField } from "../core/input/read-field.ts";
import type { TestAllPatterns } from "../core/ports/pattern.ts";
import { PatternTime } from "./conditions/pattern-time.ts";
import type { RequiredText } from "./conditions/required-text.ts";
import type { CompiledRoute } from "./routes.ts";
import { endedByAllow } from "./tiers.ts";

export type RouteFinding =
  | {
      readonly kind: "block";
      readonly by: CompiledRoute;
      readonly undecided: boolean;
      readonly message?: string;
    }
  | { readonly kind: "rewrite"; readonly by: CompiledRoute; readonly input: JsonObject };

/** In the order in which they are tried. */
export interface RouteList extends Iterable<CompiledRoute> {
  readonly length: number;
  /** May leave out routes that match none of these texts. Routes with a field of their own look elsewhere. */
  possible?(usualTexts: readonly string[]): readonly CompiledRoute[];
}

/** The call that routes look at. */
export interface RoutedBy {
  readonly roles: RoleIndex;
  readonly input: JsonObject;
  readonly caller: Caller;
}

/** Undefined: no route stops the call. An `allow` ends its own tier, and where people wrote it the shipped one. */
export function findRoute(
  routes: RouteList,
  { roles, input, caller }: RoutedBy,
  testAll: TestAllPatterns,
): RouteFinding | undefined {
  const texts = new Texts(readRoles(roles, input), input);
  const possible = routes.possible?.(texts.usual()) ?? routes;
  // Most calls match no route's needed text: what a search keeps is made only for those that may.
  let search: Search | undefined;
  for (const by of possible) {
    for (const text of texts.of(by)) {
      if (!texts.mayMatch(by, text)) continue;
      search ??= {
        possible,
        roles,
        input,
        caller,
        texts,
        testAll,
        time: new PatternTime(),
        together: undefined,
        passed: undefined,
      };
      const found = meet(by, text, search);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

interface Search {
  readonly possible: Iterable<CompiledRoute>;
  readonly roles: RoleIndex;
  readonly input: JsonObject;
  readonly caller: Caller;
  readonly texts: Texts;
  readonly testAll: TestAllPatterns;
  readonly time: PatternTime;
  together: Matches | undefined;
  /** The tiers that an allow has ended, by text: one harmless value must not carry another past a block. */
  passed: Map<string, number> | undefined;
}

function meet(by: CompiledRoute, text: string, search: Search): RouteFinding | undefined {
  if (((search.passed?.get(text) ?? 0) >> by.tierOrder) & 1) return undefined;
  let matched: boolean | undefined;
  if (needsBudget(by, text, search.time)) {
    if (search.together?.get(by)?.has(text) !== true) search.together = matchTogether(search);
    matched = search.together.get(by)?.get(text);
  } else matched = search.time.measure(() => by.pattern.test(text));
  if (matched === false) return undefined;
  // Last, because the cache reads it from disk. Nobody knows: as if the pattern were not decided.
  const concerns = by.caller === undefined || by.caller(search.caller);
  return concerns === false ? undefined : applyRoute(by, text, concerns && matched, search);
}

function applyRoute(
  by: CompiledRoute,
  text: string,
  matched: true | undefined,
  search: Search,
): RouteFinding | undefined {
  // Undecided: a block holds, an allow does not, a rewrite cannot be made.
  if (matched === undefined)
    return by.action === "allow" ? undefined : { kind: "block", by, undecided: true };
  if (by.action === "block") return { kind: "block", by, undecided: false, ...messageFor(by, text) };
  if (by.action === "allow") {
    search.passed ??= new Map();
    search.passed.set(text, (search.passed.get(text) ?? 0) | endedByAllow(by.tierOrder));
    return undefined;
  }
  const rewritten = rewriteInput(by, search, text);
  if (rewritten === undefined) return { kind: "block", by, undecided: true };
  return rewritten === search.input ? undefined : { kind: "rewrite", by, input: rewritten };
}

type Matches = ReadonlyMap<CompiledRoute, ReadonlyMap<string, boolean | undefined>>;

/** Long texts are slow even for patterns that take linear time, if there are many of them. */
const longText = 4_000;

/** Each takes a moment; after a few hundred that took longer, the rest shares one budget. */
function needsBudget(by: CompiledRoute, text: string, time: PatternTime): boolean {
  return !by.pattern.linear || text.length > longText || time.isUp;
}

/** What needs a time budget runs together, so that many patterns cost one budget and not many. */
function matchTogether({ possible, texts, testAll, time }: Search): Matches {
  const found = new Map<CompiledRoute, Map<string, boolean | undefined>>();
  const byText = new Map<string, CompiledRoute[]>();
  for (const by of possible) {
    for (const text of texts.of(by)) {
      if (texts.mayMatch(by, text) && needsBudget(by, text, time))
        byText.set(text, [...(byText.get(text) ?? []), by]);
    }
  }
  let outOfTime = false;
  for (const [text, group] of byText) {
    const patterns = group.map(({ pattern }) => pattern);
    const answers = outOfTime ? [] : testAll(patterns, text);
    for (const [index, by] of group.entries()) {
      const answer = answers[index];
      if (answer === undefined) outOfTime = true;
      found.set(by, (found.get(by) ?? new Map<string, boolean | undefined>()).set(text, answer));
    }
  }
  return found;
}

const noTexts: readonly string[] = [];

/** What routes look at in one input. Thousands of routes ask for the same few texts, so each is made once. */
class Texts {
  readonly #values: RoleValues | undefined;
  readonly #input: JsonObject;
  #usual: readonly string[] | undefined;
  #byField: Map<string, readonly string[]> | undefined;
  #lower: Map<string, string> | undefined;

  constructor(values: RoleValues | undefined, input: JsonObject) {
    this.#values = values;
    this.#input = input;
  }

  /** What a route looks at that names no field. */
  usual(): readonly string[] {
    this.#usual ??= this.#findUsual();
    return this.#usual;
  }

  #findUsual(): readonly string[] {
    const values = this.#values;
    const texts = values === undefined ? noTexts : [...values.command, ...values.url, ...values.path];
    return texts.length > 0 ? texts : commonTexts(this.#input);
  }

  of(by: CompiledRoute): readonly string[] {
    const { field } = by;
    if (field === undefined) return this.usual();
    this.#byField ??= new Map();
    const known = this.#byField.get(field);
    if (known !== undefined) return known;
    const texts = this.#inField(field, by.role);
    this.#byField.set(field, texts);
    return texts;
  }

  holds(text: string, role: RoleName): boolean {
    return this.#values?.[role].includes(text) === true;
  }

  /** Most patterns are ruled out here, before they are compiled. */
  mayMatch({ needs, foldsCase }: CompiledRoute, text: string): boolean {
    return needs === undefined || occursIn(needs, foldsCase ? this.#lowerCase(text) : text);
  }

  /** A field that the tool calls by another name is found by its role: `command` also reads `cmd`. */
  #inField(field: string, role: RoleName | undefined): readonly string[] {
    const own = readField(this.#input, field);
    const mapped = role === undefined ? noTexts : (this.#values?.[role] ?? noTexts);
    if (own === undefined) return mapped;
    const text = typeof own === "string" ? own : JSON.stringify(own);
    return mapped.length === 0 ? [text] : [text, ...mapped.filter((other) => other !== text)];
  }

  #lowerCase(text: string): string {
    this.#lower ??= new Map();
    const known = this.#lower.get(text);
    if (known !== undefined) return known;
    const lower = text.toLowerCase();
    this.#lower.set(text, lower);
    return lower;
  }
}

export function occursIn(needs: RequiredText, text: string): boolean {
  if (typeof needs === "string") return text.includes(needs);
  for (const one of needs)
    if (!(typeof one === "string" ? text.includes(one) : holdsOneOf(one, text))) return false;
  return true;
}

function holdsOneOf(parts: readonly string[], text: string): boolean {
  for (const part of parts) if (text.includes(part)) return true;
  return false;
}

/** Undefined when the field cannot take text; the same object when nothing would change. */
function rewriteInput(by: CompiledRoute, search: Search, text: string): JsonObject | undefined {
  const { input } = search;
  const groups = by.pattern.exec(text);
  if (groups === null || groups === undefined) return undefined;
  const next: Record<string, Json> = { ...input };
  let changed = false;
  for (const [field, template] of Object.entries(by.route.rewrite ?? {})) {
    const target = targetField(field, search, text);
    if (target === undefined) return undefined;
    const old = Object.hasOwn(input, target) ? input[target] : undefined;
    if (old !== undefined && typeof old !== "string") return undefined;
    const value = expand(template, groups);
    if (value !== old) changed = true;
    Object.defineProperty(next, target, { value, enumerable: true, configurable: true, writable: true });
  }
  return changed ? Object.freeze(next) : input;
}

/** The field that matched, or one of that name, or the one of that role. Undefined: the match lies deeper. */
function targetField(field: string, { roles, input, texts }: Search, text: string): string | undefined {
  const role = roleOfField(field);
  const inRole = Object.keys(input).filter((key) =>
    roles.byKey.get(key)?.some((entry) => entry.role === role),
  );
  const matched = inRole.find((key) => input[key] === text);
  if (matched !== undefined) return matched;
  if (role !== undefined && texts.holds(text, role)) return undefined;
  return Object.hasOwn(input, field) ? field : (inRole[0] ?? field);
}

/** `$1` in a message stands for what the pattern found, if it has such a group: `gh pr view $1`. */
function messageFor(by: CompiledRoute, text: string): { message?: string } {
  const { message } = by.route;
  if (message === undefined) return {};
  const groups = /\$[1-9]/.test(message) ? by.pattern.exec(text) : undefined;
  if (!groups) return { message };
  const filled = message.replaceAll(/\$([1-9])/g, (written, number: string) =>
    Number(number) < groups.length ? (groups[Number(number)] ?? "") : written,
  );
  return { message: filled };
}

function expand(template: string, groups: readonly (string | undefined)[]): string {
  return template.replaceAll(/\$(\$|&|\d{1,2})/g, (_, what: string) => {
    if (what === "$") return "$";
    return groups[what === "&" ? 0 : Number(what)] ?? "";
  });
}
