/** The rules in force as they go over the wire, each with the place where it is written. */
import { Type } from "typebox";
import { hookShape } from "../../../core/call/hook-shape.ts";
import { limitShape } from "../../../rules/shapes/limit-shape.ts";
import { policyShape } from "../../../rules/shapes/policy-shape.ts";
import { routeShape } from "../../../rules/shapes/route-shape.ts";
import { fromShape } from "./from-shape.ts";
import { closed, mode, ruleSource } from "./shapes.ts";

const text = Type.String();
const version = Type.Integer({ description: "Changes whenever the rules do." });
const tools = Type.Array(text, { description: "Names, or patterns with `*`." });
const source = Type.Optional(ruleSource);
const place = { tier: Type.Optional(text), source };

const { tool: _tool, tests: _routeTests, ...routeParts } = routeShape.properties;

export const route = closed(
  {
    name: text,
    tools,
    ...fromShape(routeParts, ["pattern", "action"]),
    tests: Type.Integer({ minimum: 0, description: "How many tests it carries." }),
    ...place,
  },
  "Route",
);

const { tools: _policyTools, tests: _policyTests, ...policyParts } = policyShape.properties;

export const policy = closed(
  {
    name: text,
    tools,
    ...fromShape(policyParts, ["action", "conditions", "priority"]),
    modes: Type.Optional(Type.Array(mode)),
    tests: Type.Integer({ minimum: 0 }),
    ...place,
  },
  "Policy",
);

const { tools: _limitTools, ...limitParts } = limitShape.properties;

export const limit = closed(
  { name: text, tools: Type.Optional(Type.Array(text)), ...fromShape(limitParts, ["per"]), source },
  "Limit",
);

const { type, failMode, isCancellable } = hookShape.properties;

export const hook = closed(
  {
    name: text,
    ...fromShape({ type }, ["type"]),
    tools,
    timeoutMs: Type.Optional(Type.Number()),
    ...fromShape({ failMode, isCancellable }, ["failMode", "isCancellable"]),
    source,
  },
  "Hook",
);

export const routeList = closed(
  {
    version,
    routes: Type.Array(route),
    steppedAside: Type.Array(
      closed({ name: text, for: text, why: Type.Union([Type.Literal("replaced"), Type.Literal("off")]) }),
      {
        description: "Shipped routes that do not count: a file has another one instead, or switches it off.",
      },
    ),
  },
  "RouteList",
);
export const policyList = closed({ version, policies: Type.Array(policy) }, "PolicyList");
export const limitList = closed({ version, limits: Type.Array(limit) }, "LimitList");
export const hookList = closed({ version, hooks: Type.Array(hook) }, "HookList");
