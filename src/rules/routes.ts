/** Routes send a call to the better tool: they block with advice, let pass, or rewrite. */
import type { RuleRef, RuleSource } from "../core/call/errors.ts";
import { type RoleName, roleOfField } from "../core/input/input-roles.ts";
import { isRecord } from "../core/input/json.ts";
import type { Shaped } from "../core/input/shape.ts";
import type { CompilePattern, SafePattern } from "../core/ports/pattern.ts";
import { patternNames } from "../core/tool/tool-pattern.ts";
import { type CallerTest, compileCaller } from "./caller-test.ts";
import { placeOf, problemsOf, type RuleProblem, refOf } from "./check/rule-problem.ts";
import { type RequiredText, requiredText } from "./conditions/required-text.ts";
import type { routeShape } from "./shapes/route-shape.ts";
import { type RouteTier, routeTiers } from "./tiers.ts";

export interface Route extends Shaped<typeof routeShape> {
  readonly name: string;
  readonly tier?: RouteTier;
  readonly source?: RuleSource;
}

export interface CompiledRoute {
  /** The cache reads it from disk when it is asked for; what most calls look at stands beside it. */
  readonly route: Route;
  readonly ref: RuleRef;
  readonly action: NonNullable<Route["action"]>;
  /** Undefined: for everybody. */
  readonly caller: CallerTest | undefined;
  readonly pattern: SafePattern;
  readonly tierOrder: number;
  readonly field: string | undefined;
  /** What the route's field means, so that the tool's own name for it is found too. */
  readonly role: RoleName | undefined;
  /** Without these in the text the pattern cannot match. */
  readonly needs: RequiredText | undefined;
  /** They are in lower case, and so must the text be. */
  readonly foldsCase: boolean;
}

/** Orders, checks and compiles. A problem names both places where two routes are in each other's way. */
export function compileRoutes(
  routes: readonly Route[],
  compilePattern: CompilePattern,
  problems: RuleProblem[],
): CompiledRoute[] {
  const compiled: CompiledRoute[] = [];
  const names = new Map<string, Route>();
  const patterns = new Map<string, Route>();
  const ordered = [...routes].sort((a, b) => tierOrder(a) - tierOrder(b));
  for (const route of ordered) {
    const problem = problemsOf("route", route, problems);
    const key = routeKey(route);
    const sameName = names.get(route.name);
    const samePattern = patterns.get(key);
    if (sameName !== undefined || samePattern !== undefined) {
      if (route.tier === "shipped") continue;
      const other = sameName ?? samePattern;
      if (sameName !== undefined) {
        const message = `the name is also used${at(other)}; rename one of them.`;
        problem(message, message);
      } else {
        const same = (what: string) =>
          `has the very same tool and pattern as ${what}${at(other)}; remove one of them.`;
        problem(same(`route "${other?.name}"`), same("another route"));
      }
      continue;
    }
    names.set(route.name, route);
    patterns.set(key, route);
    const action = route.action ?? "block";
    if (action === "block" && !route.message) {
      problem(needsMessage, needsMessage);
      continue;
    }
    const bad = explainBadRoute(route, action);
    if (bad !== undefined) {
      problem(bad);
      continue;
    }
    const pattern = compilePattern(route.pattern, route.flags);
    if (!pattern.ok) {
      problem(pattern.message, "its pattern cannot be used.");
      continue;
    }
    compiled.push(readyRoute(route, refOf("route", route, route.tier ?? "user"), action, pattern.pattern));
  }
  return compiled;
}

const needsMessage = "needs a message that says what to do instead.";

function explainBadRoute({ tier, rewrite, pattern }: Route, action: string): string | undefined {
  if (tier !== undefined && !routeTiers.includes(tier))
    return `tier must be one of ${routeTiers.join(", ")}, not ${JSON.stringify(tier)}.`;
  if (rewrite !== undefined && action !== "rewrite")
    return `has rewrite, but its action is ${action}; say action: rewrite.`;
  if (rewrite !== undefined && !isTemplates(rewrite)) return "rewrite must name fields and give each a text.";
  if (action === "rewrite" && Object.keys(rewrite ?? {}).length === 0)
    return "action is rewrite, but rewrite names no field.";
  if (typeof pattern !== "string") return "needs a pattern: a JavaScript regular expression as text.";
  return undefined;
}

function isTemplates(rewrite: unknown): boolean {
  return isRecord(rewrite) && Object.values(rewrite).every((one) => typeof one === "string");
}

/** What a pattern needs is found out at its first call: most routes see none, and finding out is slow. */
function readyRoute(
  route: Route,
  ref: RuleRef,
  action: CompiledRoute["action"],
  pattern: SafePattern,
): CompiledRoute {
  let found: ReturnType<typeof requiredText> | null = null;
  const required = () => {
    if (found === null) found = requiredText(pattern.source, pattern.flags);
    return found;
  };
  return {
    route,
    ref,
    action,
    caller: compileCaller(route.caller),
    pattern,
    tierOrder: tierOrder(route),
    field: route.field,
    role: route.field === undefined ? undefined : roleOfField(route.field),
    get needs() {
      return required()?.needs;
    },
    get foldsCase() {
      return required()?.foldsCase ?? false;
    },
  };
}

/** Routes with the same key look for the very same thing. */
export function routeKey({ tool, field, pattern, flags, caller }: Route): string {
  return JSON.stringify([[...patternNames(tool)].sort(), field, pattern, flags, caller]);
}

function tierOrder(route: Route): number {
  return routeTiers.indexOf(route.tier ?? "user");
}

function at(route: Route | undefined): string {
  const place = placeOf(route?.source);
  return place === "" ? "" : ` in ${place}`;
}
