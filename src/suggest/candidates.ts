/** Rules that the approved calls could be made of: one for each kind of command, folder or host. */
import type { Condition } from "../rules/conditions/condition.ts";
import { parseUsage } from "../rules/conditions/usage.ts";
import type { Policy } from "../rules/policies.ts";
import { isYes } from "./evidence.ts";
import type { HistoryCall } from "./history.ts";
import type { SameCalls } from "./read-calls.ts";
import type { Part } from "./shapes/call-parts.ts";
import { argumentConditions, fileConditions, urlConditions } from "./shapes/place-shapes.ts";
import { leastValues, usageOf } from "./shapes/usage-of.ts";

/** Parts of one kind, and the calls that hold them. */
export interface Cluster {
  readonly key: string;
  readonly tool: string;
  readonly members: readonly SameCalls[];
}

export interface Candidate {
  readonly tool: string;
  /** For the title: `npm run lint|test`. */
  readonly what: string;
  readonly conditions: readonly Condition[];
  readonly callers: readonly string[] | undefined;
  readonly workspaces: readonly string[] | undefined;
  covers(part: Part): boolean;
  /** All that a person is asked about in the call. */
  coversCall(same: SameCalls): boolean;
}

export function clustersOf(groups: readonly SameCalls[]): Cluster[] {
  const clusters = new Map<string, { readonly tool: string; readonly members: Set<SameCalls> }>();
  for (const same of groups) {
    const { read } = same;
    if (read === undefined || read.withheld !== undefined || !same.calls.some(isYes)) continue;
    for (const { key } of read.parts) {
      const cluster = clusters.get(key) ?? { tool: read.tool, members: new Set() };
      cluster.members.add(same);
      clusters.set(key, cluster);
    }
  }
  return [...clusters]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { tool, members }]) => ({ key, tool, members: [...members] }));
}

export interface CandidateOptions {
  readonly typed: boolean;
  readonly withoutDenied: boolean;
  /** Calls that were denied. */
  readonly denied: readonly SameCalls[];
  /** Only answers before it count. */
  readonly before: number;
}

/** From the least bold to what remains when denials stand in the way. */
export const generalities = [
  { typed: true, withoutDenied: false },
  { typed: true, withoutDenied: true },
  { typed: false, withoutDenied: true },
] as const;

export function candidateOf(
  { key, tool, members }: Cluster,
  options: CandidateOptions,
): Candidate | undefined {
  const yes = (same: SameCalls) => same.calls.filter((call) => isYes(call) && call.at < options.before);
  const seen = members.map((same) => ({ same, calls: yes(same) })).filter(({ calls }) => calls.length > 0);
  const ofKey = (same: SameCalls) => (same.read?.parts ?? []).filter((part) => part.key === key);
  const parts = seen.flatMap(({ same, calls }) => ofKey(same).map((part) => ({ part, times: calls.length })));
  const refused = options.denied.flatMap(ofKey);
  const rule = ruleOf(parts, refused, options);
  if (rule === undefined) return undefined;
  const calls = seen.flatMap((one) => one.calls);
  const callers = fewest(
    calls.map(({ caller }) => caller),
    true,
  );
  const workspaces = fewest(
    calls.map(({ workspace }) => workspace),
    !rule.runsProject,
  );
  if (callers === "none" || workspaces === "none") return undefined;
  const conditions: Condition[] = [...rule.conditions];
  if (workspaces !== "any") conditions.push({ type: "workspace", operator: "equals", value: workspaces });
  const isCaller = (call: HistoryCall) => callers === "any" || callers.includes(call.caller);
  const isPlace = (call: HistoryCall) => workspaces === "any" || workspaces.includes(call.workspace);
  return {
    tool,
    what: rule.what,
    conditions,
    callers: callers === "any" ? undefined : callers,
    workspaces: workspaces === "any" ? undefined : workspaces,
    covers: (part) => part.key === key && rule.covers(part),
    coversCall: ({ call, read }) =>
      read !== undefined &&
      read.withheld === undefined &&
      read.parts.length > 0 &&
      isCaller(call) &&
      isPlace(call) &&
      read.parts.every((part) => part.key === key && rule.covers(part)),
  };
}

/** Seen in three is seen everywhere, where that may be said at all; otherwise those that were seen. */
function fewest(names: readonly string[], mayBeAny: boolean): readonly string[] | "any" | "none" {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const often = [...counts]
    .filter(([, count]) => count >= leastValues)
    .map(([name]) => name)
    .sort();
  if (often.length === 0) return "none";
  return mayBeAny && often.length >= leastValues ? "any" : often.slice(0, 50);
}

interface PartRule {
  readonly what: string;
  readonly conditions: readonly Condition[];
  readonly runsProject: boolean;
  readonly covers: (part: Part) => boolean;
}

type Times = readonly { readonly part: Part; readonly times: number }[];

function ruleOf(
  parts: Times,
  refused: readonly Part[],
  { typed, withoutDenied }: CandidateOptions,
): PartRule | undefined {
  const [first] = parts;
  if (first?.part.kind === "command") {
    const without = new Set(
      withoutDenied
        ? refused.flatMap((part) =>
            part.kind === "command" ? part.shape.options.map(({ name }) => name) : [],
          )
        : [],
    );
    const seen = parts.flatMap(({ part, times }) =>
      part.kind === "command" ? [{ shape: part.shape, times }] : [],
    );
    const usage = usageOf(seen, { typed, without });
    const parsed = usage === undefined ? undefined : parseUsage(usage);
    if (usage === undefined || parsed === undefined || typeof parsed === "string") return undefined;
    return {
      what: usage,
      conditions: [{ type: "command", operator: "usage", value: usage }],
      runsProject: first.part.shape.known.runsProject,
      covers: (part) => part.kind === "command" && parsed.matches(part.shape.argv),
    };
  }
  if (first?.part.kind === "file") {
    const { extension, key } = first.part;
    const paths = parts.flatMap(({ part }) => (part.kind === "file" ? [part.relative] : []));
    const conditions = fileConditions(paths, extension, typed);
    if (conditions === undefined) return undefined;
    const tests = testOf(conditions);
    const [, tool = "", top = ""] = key.split(" ");
    return {
      what: `${tool} in ${top}/ (*${extension})`,
      conditions,
      runsProject: true,
      covers: (part) => part.kind === "file" && tests(part.relative),
    };
  }
  if (first?.part.kind === "url") {
    const urls = parts.flatMap(({ part }) => (part.kind === "url" ? [part.url] : []));
    const conditions = urlConditions(urls, typed);
    if (conditions === undefined) return undefined;
    const tests = testOf(conditions);
    return {
      what: `reading from ${first.part.url.hostname}`,
      conditions,
      runsProject: false,
      covers: (part) => part.kind === "url" && tests(part.url.href),
    };
  }
  if (first?.part.kind === "arguments") {
    const inputs = parts.flatMap(({ part }) => (part.kind === "arguments" ? [part.input] : []));
    const conditions = argumentConditions(inputs, typed);
    if (conditions === undefined) return undefined;
    const [, tool = "", ...keys] = first.part.key.split(" ");
    const [, ...fields] = conditions;
    const tests = fields.map((one) => ({ field: one.field ?? "", holds: testOf([one]) }));
    return {
      what: `${tool} with ${keys.join(", ")}`,
      conditions,
      runsProject: false,
      covers: (part) =>
        part.kind === "arguments" && tests.every(({ field, holds }) => holds(part.input[field])),
    };
  }
  return undefined;
}

function testOf(conditions: readonly Condition[]): (value: unknown) => boolean {
  const [{ operator, value } = { operator: "equals", value: [] }] = conditions;
  if (operator === "matches") {
    const pattern = new RegExp(String(value));
    return (one) => typeof one === "string" && pattern.test(one);
  }
  const values = new Set<unknown>([value].flat());
  return (one) => values.has(one);
}

export function policyOf({ tool, conditions, callers }: Candidate, name: string): Policy {
  return {
    name,
    tools: tool,
    ...(callers !== undefined && { caller: callers.length === 1 ? (callers[0] as string) : [...callers] }),
    action: "approve",
    conditions: [...conditions],
  };
}
