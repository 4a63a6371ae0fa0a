/** Rules that the approved calls could be made of: one for each kind of command, folder or host. */
import type { Condition } from "../rules/conditions/condition.ts";
import type { Policy } from "../rules/policies.ts";
import { isYes } from "./evidence.ts";
import type { HistoryCall } from "./history.ts";
import type { SameCalls } from "./read-calls.ts";
import { type CallParts, isBehindCheck, type Part } from "./shapes/call-parts.ts";
import { type RuleOptions, ruleOf, together } from "./shapes/part-rule.ts";
import { leastValues } from "./shapes/usage-of.ts";

/** Parts of one kind, or of a few that are only ever called together, and the calls that hold them. */
export interface Cluster {
  readonly keys: readonly string[];
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
  /** It may hold for values that nobody has seen. */
  readonly isTyped: boolean;
  covers(part: Part): boolean;
  /** All that a person is asked about in the call. */
  coversCall(same: SameCalls): boolean;
  /** It may be one of those whose record is incomplete. */
  mayCover(same: SameCalls): boolean;
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
  return mostApproved(
    [...clusters].map(([key, { tool, members }]) => ({ keys: [key], tool, members: [...members] })),
  );
}

/** `git add -A && git commit -m x`: neither rule would save the question without the other. */
export function linesOf(groups: readonly SameCalls[]): Cluster[] {
  const clusters = new Map<
    string,
    { readonly keys: readonly string[]; readonly tool: string; readonly members: SameCalls[] }
  >();
  for (const same of groups) {
    const { read } = same;
    if (read === undefined || read.withheld !== undefined || !same.calls.some(isYes)) continue;
    const keys = [
      ...new Set(read.parts.flatMap(({ kind, key }) => (kind === "command" ? [key] : []))),
    ].sort();
    if (keys.length < 2 || keys.length > mostTogether) continue;
    const cluster = clusters.get(keys.join("\n")) ?? { keys, tool: read.tool, members: [] };
    cluster.members.push(same);
    clusters.set(keys.join("\n"), cluster);
  }
  return mostApproved([...clusters.values()]);
}

/** Each takes a hundred attacks. Nobody reads so many, and thousands of kinds are made to keep us busy. */
const mostClusters = 400;

function mostApproved(clusters: readonly Cluster[]): Cluster[] {
  const nameOf = ({ keys }: Cluster) => keys.join("\n");
  return clusters
    .map((cluster) => ({
      cluster,
      yes: cluster.members.reduce((sum, { calls }) => sum + calls.filter(isYes).length, 0),
    }))
    .sort((one, other) => other.yes - one.yes || (nameOf(one.cluster) < nameOf(other.cluster) ? -1 : 1))
    .slice(0, mostClusters)
    .map(({ cluster }) => cluster)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

const mostTogether = 3;

export interface CandidateOptions extends RuleOptions {
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
  { keys, tool, members }: Cluster,
  options: CandidateOptions,
): Candidate | undefined {
  const yes = (same: SameCalls) => same.calls.filter((call) => isYes(call) && call.at < options.before);
  const seen = members.map((same) => ({ same, calls: yes(same) })).filter(({ calls }) => calls.length > 0);
  const rule = together(
    keys.map((key) => {
      const ofKey = (same: SameCalls) => (same.read?.parts ?? []).filter((part) => part.key === key);
      const parts = seen.flatMap(({ same, calls }) =>
        ofKey(same).flatMap((part) => (isBehindCheck(part) ? [] : [{ part, times: calls.length }])),
      );
      const one = ruleOf(parts, options.denied.flatMap(ofKey), options);
      return one && { ...one, covers: (part: Part) => part.key === key && one.covers(part) };
    }),
  );
  if (rule === undefined) return undefined;
  const calls = seen.flatMap((one) => one.calls);
  // Who was trusted with something says nothing of somebody else.
  const callers = fewest(
    calls.map(({ caller }) => caller),
    false,
  );
  const workspaces = fewest(
    calls.map(({ workspace }) => workspace),
    !rule.runsProject,
  );
  // The same words mean other files, and other code, in each folder.
  const folders = rule.isCommand === true ? fewest(calls.map(folderOf), false) : "any";
  if (callers === "none" || workspaces === "none" || folders === "none") return undefined;
  const conditions: Condition[] = [...rule.conditions];
  if (workspaces !== "any")
    conditions.push({ type: "workspace", operator: "equals", value: oneOrList(workspaces) });
  if (folders !== "any") conditions.push({ type: "folder", operator: "equals", value: oneOrList(folders) });
  const isFolder = (call: HistoryCall) => folders === "any" || folders.includes(folderOf(call));
  const isCaller = (call: HistoryCall) => callers === "any" || callers.includes(call.caller);
  const isPlace = (call: HistoryCall) => workspaces === "any" || workspaces.includes(call.workspace);
  const isMeant = <Parts extends CallParts>(call: HistoryCall, read: Parts | undefined): read is Parts =>
    read !== undefined &&
    read.withheld === undefined &&
    read.parts.length > 0 &&
    isCaller(call) &&
    isPlace(call) &&
    isFolder(call);
  return {
    tool,
    what: rule.what,
    conditions,
    callers: callers === "any" ? undefined : callers,
    workspaces: workspaces === "any" ? undefined : workspaces,
    isTyped: options.typed,
    covers: rule.covers,
    coversCall: ({ call, read }) => isMeant(call, read) && read.parts.every(rule.covers),
    mayCover: ({ call, left }) =>
      isMeant(call, left) &&
      // What is missing may be any value: then only a rule that names its values tells.
      left.parts.every((part) =>
        left.isWhole || !options.typed ? rule.covers(part) : keys.includes(part.key),
      ),
  };
}

/** From the root of the workspace. */
function folderOf({ cwd, workspace }: HistoryCall): string {
  if (cwd === workspace) return ".";
  return cwd.startsWith(`${workspace}/`) ? cwd.slice(workspace.length + 1) : cwd;
}

/** Seen in three is seen everywhere, where that may be said at all; otherwise those that were seen. */
function fewest(names: readonly string[], mayBeAny: boolean): readonly string[] | "any" | "none" {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  // A name with a star would be a pattern.
  const often = [...counts]
    .filter(([name, count]) => count >= leastValues && !name.includes("*"))
    .map(([name]) => name)
    .sort();
  if (often.length === 0) return "none";
  return mayBeAny && often.length >= leastValues ? "any" : often.slice(0, 50);
}

function oneOrList(names: readonly string[]): string | string[] {
  const [first, ...others] = names;
  return first !== undefined && others.length === 0 ? first : [...names];
}

export function policyOf({ tool, conditions, callers }: Candidate, name: string): Policy {
  return {
    name,
    tools: tool,
    ...(callers !== undefined && { caller: oneOrList(callers) }),
    action: "approve",
    conditions: [...conditions],
  };
}
