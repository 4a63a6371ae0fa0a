/** Puts compiled rules into the layout of a cache file. Done when rules change, so it may take its time. */
import type { ToolPattern } from "../../core/tool/tool-pattern.ts";
import type { RequiredText } from "../../rules/conditions/required-text.ts";
import type { CompiledRoute } from "../../rules/routes.ts";
import { patternsOf, type RuleSet } from "../../rules/rule-set.ts";
import { cacheFormat } from "./cache-key.ts";
import type { PoliciesRegion } from "./cached-policies.ts";
import {
  between,
  bits,
  type CacheHeader,
  magic,
  padded,
  preambleBytes,
  type Range,
  type RouteBody,
  regionHeadWords,
  regionMagic,
  routeActions,
  wordsPerRoute,
} from "./layout.ts";
import { encodeTextIndex } from "./text-index.ts";

export type HeaderFacts = Omit<CacheHeader, "fields" | "routes" | "policies">;

/** A pattern of a policy as JavaScript reads it. */
export type ReadPattern = (source: string) => PoliciesRegion["patterns"][number];

export function encodeRules(
  facts: HeaderFacts,
  rules: Pick<RuleSet, "routes" | "policies">,
  readPattern: ReadPattern,
): Buffer {
  const fields = [...new Set(rules.routes.flatMap(({ field }) => field ?? []))];
  // Their numbers have 16 bits; one that wraps would be a rule about another field.
  if (fields.length >= 0xffff)
    throw new Error(`routes name ${fields.length} different fields; that is too many`);
  const bodies = new Parts();
  const regions = new Parts();
  const routes = byTools(rules.routes, ({ route }) => route.tool).map(({ tools, group }) => ({
    tools,
    ...regions.add(encodeRoutes(group, fields, bodies)),
    index: regions.add(encodeTextIndex(group.map(({ rule }) => rule))),
  }));
  const policies = byTools(rules.policies, ({ policy }) => policy.tools).map(({ tools, group }) => ({
    tools,
    ...regions.add(encodePolicies(group, readPattern)),
  }));
  // Places are counted from the end of the header, so that its own length does not change them.
  const header = Buffer.from(JSON.stringify({ ...facts, fields, routes, policies } satisfies CacheHeader));
  const regionsAt = preambleBytes + padded(header.length);
  const bodiesAt = regionsAt + regions.length;
  const half = Buffer.alloc(bodiesAt + bodies.length);
  half.write(magic, 0, "latin1");
  const words = new Uint32Array(half.buffer, half.byteOffset, preambleBytes / 4);
  words.set([cacheFormat, header.length, half.length, bodiesAt], 2);
  header.copy(half, preambleBytes);
  regions.copyTo(half, regionsAt);
  bodies.copyTo(half, bodiesAt);
  return Buffer.concat([half, half]);
}

/** Bytes one after the other, each at a place where numbers may begin. */
class Parts {
  readonly #parts: Buffer[] = [];
  length = 0;

  add(bytes: Buffer): Range {
    const place = { at: this.length, length: bytes.length };
    this.#parts.push(bytes, Buffer.alloc(padded(bytes.length) - bytes.length));
    this.length += padded(bytes.length);
    return place;
  }

  copyTo(target: Buffer, at: number): void {
    Buffer.concat(this.#parts).copy(target, at);
  }
}

interface Ordered<Rule> {
  readonly rule: Rule;
  readonly order: number;
}

/** Grouped by their tools as written; the order inside of a group stays. */
function byTools<Rule>(
  rules: readonly Rule[],
  toolsOf: (rule: Rule) => ToolPattern,
): { readonly tools: ToolPattern; readonly group: readonly Ordered<Rule>[] }[] {
  const groups = new Map<string, Ordered<Rule>[]>();
  for (const [order, rule] of rules.entries()) {
    const tools = JSON.stringify(toolsOf(rule));
    const group = groups.get(tools) ?? [];
    group.push({ rule, order });
    groups.set(tools, group);
  }
  return [...groups].map(([tools, group]) => ({ tools: JSON.parse(tools) as ToolPattern, group }));
}

function encodeRoutes(
  group: readonly Ordered<CompiledRoute>[],
  fields: readonly string[],
  bodies: Parts,
): Buffer {
  const count = group.length;
  const needs = group.map(({ rule }) => Buffer.from(needsText(rule.needs)));
  const needsAt = (regionHeadWords + wordsPerRoute * count) * 4;
  const region = Buffer.alloc(needsAt + needs.reduce((sum, { length }) => sum + length, 0));
  const words = new Uint32Array(region.buffer, region.byteOffset, needsAt / 4);
  words.set([regionMagic, count]);
  let at = needsAt;
  for (const [index, { rule, order }] of group.entries()) {
    const { tests: _, ...route } = rule.route;
    const { source, flags } = rule.pattern;
    const body: RouteBody = { route, ref: rule.ref, source, flags };
    const place = bodies.add(Buffer.from(JSON.stringify(body)));
    const own = needs[index] as Buffer;
    const field = rule.field === undefined ? 0 : fields.indexOf(rule.field) + 1;
    words.set(
      [order, place.at, place.length, at, own.length, (field << 8) | bitsOf(rule)],
      regionHeadWords + wordsPerRoute * index,
    );
    own.copy(region, at);
    at += own.length;
  }
  return region;
}

function bitsOf({ action, tierOrder, pattern, needs, foldsCase }: CompiledRoute): number {
  return (
    routeActions.indexOf(action) |
    (tierOrder << bits.tier) |
    (Number(pattern.linear) << bits.linear) |
    (Number(foldsCase) << bits.foldsCase) |
    (Number(needs !== undefined && typeof needs !== "string") << bits.several)
  );
}

/** Leaves out texts that the file cannot carry exactly: that means more tries, never a missed match. */
function needsText(needs: RequiredText | undefined): string {
  if (needs === undefined) return "";
  const all = typeof needs === "string" ? [needs] : needs;
  return all
    .map((one) => (typeof one === "string" ? [one] : one))
    .filter((any) => !any.some((text) => unfit.test(text)))
    .map((any) => any.join(between.any))
    .join(between.all);
}

/** Our separators, and halves of characters, which UTF-8 cannot write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the separators
const unfit = /[\u0001\u0002\ud800-\udfff]/;

function encodePolicies(
  group: readonly Ordered<RuleSet["policies"][number]>[],
  readPattern: ReadPattern,
): Buffer {
  const policies = group.map(({ rule, order }): PoliciesRegion["policies"][number] => {
    const { tests: _, ...policy } = rule.policy;
    return [order, policy];
  });
  const sources = new Set(policies.flatMap(([, policy]) => patternsOf(policy)));
  const region: PoliciesRegion = { policies, patterns: [...sources].map(readPattern) };
  return Buffer.from(JSON.stringify(region));
}
