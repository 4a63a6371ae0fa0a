/** Puts compiled rules into the layout of a cache file. Only done when rules change, so it may take its time. */
import type { ToolPattern } from "../../core/tool-pattern.ts";
import type { Policy } from "../../rules/policies.ts";
import type { RequiredText } from "../../rules/required-text.ts";
import type { CompiledRoute } from "../../rules/routes.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import { cacheFormat } from "./cache-key.ts";
import type { PoliciesRegion } from "./cached-policies.ts";
import {
  between,
  bits,
  type CacheHeader,
  magic,
  padded,
  preambleBytes,
  type RegionOfRules,
  type RouteBody,
  regionHeadWords,
  regionMagic,
  routeActions,
  wordsPerRoute,
} from "./layout.ts";

export type HeaderFacts = Omit<CacheHeader, "fields" | "routes" | "policies">;

/** A pattern of a policy as JavaScript reads it. */
export type ReadPattern = (source: string) => PoliciesRegion["patterns"][number];

export function encodeRules(
  facts: HeaderFacts,
  rules: Pick<RuleSet, "routes" | "policies">,
  readPattern: ReadPattern,
): Buffer {
  const fields = [...new Set(rules.routes.flatMap(({ field }) => field ?? []))];
  const bodies = new Bodies();
  const routes = [...byTools(rules.routes, ({ route }) => route.tool)].map(([tools, group]) => ({
    tools,
    bytes: encodeRoutes(group, fields, bodies),
  }));
  const policies = [...byTools(rules.policies, ({ policy }) => policy.tools)].map(([tools, group]) => ({
    tools,
    bytes: encodePolicies(group, readPattern),
  }));
  const regions = [...routes, ...policies];
  const header = (start: number): Buffer => {
    let at = start;
    const placed = regions.map(({ tools, bytes }): RegionOfRules => {
      const region = { tools: JSON.parse(tools) as ToolPattern, at, length: bytes.length };
      at += padded(bytes.length);
      return region;
    });
    return Buffer.from(
      JSON.stringify({
        ...facts,
        fields,
        routes: placed.slice(0, routes.length),
        policies: placed.slice(routes.length),
      } satisfies CacheHeader),
    );
  };
  // Places are counted from the end of the header, so that its own length does not change them.
  const head = header(0);
  const total = [preambleBytes, head.length, ...regions.map(({ bytes }) => bytes.length), bodies.length];
  const half = Buffer.alloc(total.reduce((sum, length) => sum + padded(length), 0));
  const start = preambleBytes + padded(head.length);
  half.write(magic, 0, "latin1");
  const words = new Uint32Array(half.buffer, half.byteOffset, preambleBytes / 4);
  const bodiesAt = start + regions.reduce((sum, { bytes }) => sum + padded(bytes.length), 0);
  words.set([cacheFormat, head.length, half.length, bodiesAt], 2);
  head.copy(half, preambleBytes);
  let at = start;
  for (const { bytes } of regions) {
    bytes.copy(half, at);
    at += padded(bytes.length);
  }
  bodies.copyTo(half, bodiesAt);
  return Buffer.concat([half, half]);
}

/** Grouped by their tools as written; the order inside of a group stays. */
function byTools<Rule>(rules: readonly Rule[], toolsOf: (rule: Rule) => ToolPattern) {
  const groups = new Map<string, { readonly rule: Rule; readonly order: number }[]>();
  for (const [order, rule] of rules.entries()) {
    const tools = JSON.stringify(toolsOf(rule));
    const group = groups.get(tools);
    if (group === undefined) groups.set(tools, [{ rule, order }]);
    else group.push({ rule, order });
  }
  return groups;
}

class Bodies {
  readonly #parts: Buffer[] = [];
  length = 0;

  add(body: RouteBody): { readonly at: number; readonly length: number } {
    const bytes = Buffer.from(JSON.stringify(body));
    const place = { at: this.length, length: bytes.length };
    this.#parts.push(bytes);
    this.length += bytes.length;
    return place;
  }

  copyTo(target: Buffer, at: number): void {
    Buffer.concat(this.#parts).copy(target, at);
  }
}

function encodeRoutes(
  group: readonly { readonly rule: CompiledRoute; readonly order: number }[],
  fields: readonly string[],
  bodies: Bodies,
): Buffer {
  const count = group.length;
  const needs = Buffer.from(group.map(({ rule }) => needsText(rule.needs)).join(between.routes));
  const isAscii = needs.every((byte) => byte < 128);
  const headBytes = (regionHeadWords + wordsPerRoute * count) * 4;
  const fieldsAt = headBytes;
  const bitsAt = fieldsAt + padded(count * 2);
  const needsAt = bitsAt + padded(count);
  const region = Buffer.alloc(needsAt + needs.length);
  const words = new Uint32Array(region.buffer, region.byteOffset, headBytes / 4);
  const fieldNumbers = new Uint16Array(region.buffer, region.byteOffset + fieldsAt, count);
  words.set([regionMagic, count, needs.length, isAscii ? 1 : 0]);
  for (const [index, { rule, order }] of group.entries()) {
    const { tests: _, ...route } = rule.route;
    const { source, flags } = rule.pattern;
    const body = bodies.add({ route, ref: rule.ref, source, flags });
    words.set([order, body.at, body.length], regionHeadWords + wordsPerRoute * index);
    fieldNumbers[index] = rule.field === undefined ? 0 : fields.indexOf(rule.field) + 1;
    region[bitsAt + index] = bitsOf(rule);
  }
  needs.copy(region, needsAt);
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

/** Texts that the file cannot carry exactly are left out: fewer requirements mean more tries, never a missed match. */
function needsText(needs: RequiredText | undefined): string {
  if (needs === undefined) return "";
  const all = typeof needs === "string" ? [needs] : needs;
  return all
    .map((one) => (typeof one === "string" ? [one] : one))
    .filter((any) => !any.some((text) => unfit.test(text)))
    .map((any) => any.join(between.any))
    .join(between.all);
}

/** Our own separators, and halves of characters, which UTF-8 cannot write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the separators
const unfit = /[\u0000-\u0002\ud800-\udfff]/;

function encodePolicies(
  group: readonly { readonly rule: RuleSet["policies"][number]; readonly order: number }[],
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

function patternsOf({ conditions = [] }: Policy): string[] {
  return conditions.flatMap(({ operator, value }) => {
    if (operator !== "matches") return [];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one): one is string => typeof one === "string");
  });
}
