/** Finds rules that can never match: a tool or field that nobody has, a sign that means something else. */
import { readsCommonFields } from "../../core/input/common-fields.ts";
import { allKnownTools, findKnownTool, type KnownTool } from "../../core/tool/known-tools.ts";
import { closestNames } from "../../core/tool/tool-name.ts";
import { matchesWildcard, patternNames, type ToolPattern } from "../../core/tool/tool-pattern.ts";
import type { Policy } from "../policies.ts";
import type { Route } from "../routes.ts";
import { patternsOf, type Rules } from "../rule-set.ts";
import { explainForeignSyntax } from "./foreign-syntax.ts";
import type { RuleProblem } from "./rule-problem.ts";

/** For rules that compile: nothing here keeps them from being used. */
export function findDoubtfulRules({
  routes = [],
  policies = [],
  limits = [],
  hooks = [],
}: Rules): RuleProblem[] {
  const found: RuleProblem[] = [];
  const doubt = (kind: string, { name, source }: Named, { message, plain = message }: Doubt): void => {
    found.push({ rule: `${kind} "${name}"`, message, plain, ...(source && { source }) });
  };
  for (const route of routes) {
    // Ours are tested, and hold for agents whose tools have other names.
    if (route.tier === "shipped") continue;
    for (const one of [...toolDoubts(route.tool), ...routeDoubts(route)]) doubt("route", route, one);
  }
  for (const policy of policies)
    for (const one of [...toolDoubts(policy.tools), ...policyDoubts(policy)]) doubt("policy", policy, one);
  for (const limit of limits) for (const one of toolDoubts(limit.tools ?? "*")) doubt("limit", limit, one);
  for (const hook of hooks) for (const one of toolDoubts(hook.toolPatterns ?? "*")) doubt("hook", hook, one);
  return found;
}

type Named = Pick<Route, "name" | "source">;

interface Doubt {
  readonly message: string;
  /** Without a value of the rule. */
  readonly plain?: string;
}

const allNames = allKnownTools().flatMap(({ id, aliases }) => [id, id.replaceAll(".", "_"), ...aliases]);

/** Tools of upstreams and plugins are not known here. Only a name that looks like a slip is told. */
function toolDoubts(tools: ToolPattern): Doubt[] {
  return patternNames(tools).flatMap((name): Doubt[] => {
    if (name.startsWith("mcp_") || name === "*" || findKnownTool(name) !== undefined) return [];
    const isElsewhere = /[.]|__/.test(name);
    if (name.includes("*")) {
      if (isElsewhere || allNames.some((known) => matchesWildcard(name, known))) return [];
      const plain = "no tool has a name like the one in it, unless a plugin brings one.";
      return [
        { message: `no tool has a name like ${JSON.stringify(name)}, unless a plugin brings one.`, plain },
      ];
    }
    const close = meantName(name);
    if (close === undefined && isElsewhere) return [];
    const advice = close === undefined ? "unless a plugin brings it." : `did you mean ${close}?`;
    const plain = `names a tool that nobody has; ${advice}`;
    return [{ message: `nobody has a tool named ${JSON.stringify(name)}; ${advice}`, plain }];
  });
}

/** Two letters in the wrong order are the commonest slip, and `bash` is meant by whoever writes `bahs`. */
function meantName(name: string): string | undefined {
  const alike = allNames.filter((known) => Math.abs(known.length - name.length) <= 2);
  const wanted = sortedLetters(name);
  const swapped = alike.filter((known) => known.length === name.length && sortedLetters(known) === wanted);
  const all = [...swapped, ...closestNames(name, alike, 10)];
  return all.find((known) => known[0] === name[0]) ?? all[0];
}

function sortedLetters(text: string): string {
  return [...text.toLowerCase()].sort().join("");
}

function routeDoubts({ tool, field, pattern, flags = "" }: Route): Doubt[] {
  const doubts: Doubt[] = [];
  const syntax = explainForeignSyntax(pattern, flags);
  if (syntax !== undefined) doubts.push({ message: syntax });
  if (field !== undefined) return doubts;
  const blind = namedTools(tool).filter(
    (known) => !hasRole(known, "command", "url", "path") && !readsCommonFields(known),
  );
  for (const { id } of blind)
    doubts.push({
      message: `names no field, and ${id} has no command, URL, path or other usual text to look at; say which one: field: NAME`,
    });
  return doubts;
}

function policyDoubts(policy: Policy): Doubt[] {
  const { tools, action, conditions = [] } = policy;
  const doubts: Doubt[] = [];
  const known = namedTools(tools);
  const isWhole = known.length === patternNames(tools).length;
  for (const pattern of patternsOf(policy)) {
    const syntax = explainForeignSyntax(pattern, "");
    if (syntax !== undefined) doubts.push({ message: syntax });
  }
  for (const { type } of conditions) {
    if (type !== "command" && type !== "url" && type !== "path") continue;
    if (isWhole && known.length > 0 && !known.some((tool) => hasRole(tool, type)))
      doubts.push({
        message: `has a condition on a ${type}, and ${known.map(({ id }) => id).join(", ")} has none, so it never ${meaning[action]}.`,
      });
  }
  return doubts;
}

const meaning = { approve: "approves", ask: "asks", deny: "denies" } as const;

function namedTools(tools: ToolPattern): KnownTool[] {
  return patternNames(tools).flatMap((name) => findKnownTool(name) ?? []);
}

/** What is written into a running shell is a command, and a patch names paths. */
function hasRole({ roles }: KnownTool, ...wanted: readonly ("command" | "url" | "path")[]): boolean {
  const also = { command: ["stdin"], url: [], path: ["patch"] } as const;
  return wanted.some((role) =>
    [role, ...also[role], "arguments" as const].some((one) => roles[one] !== undefined),
  );
}
