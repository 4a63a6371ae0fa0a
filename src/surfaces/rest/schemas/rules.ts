/** The rules in force as they go over the wire, each with the place where it is written. */
import { Type } from "typebox";
import { conditionTypes, operators } from "../../../rules/conditions/condition.ts";
import { closed, mode, oneOf, ruleSource } from "./shapes.ts";

const text = Type.String();
const texts = Type.Array(text);
const version = Type.Integer({ description: "Changes whenever the rules do." });
const tools = Type.Array(text, { description: "Names, or patterns with `*`." });
const place = { tier: Type.Optional(text), source: Type.Optional(ruleSource) };

export const route = closed(
  {
    name: text,
    tools,
    pattern: text,
    flags: Type.Optional(text),
    field: Type.Optional(text),
    action: oneOf(["block", "allow", "rewrite"]),
    message: Type.Optional(text),
    rewrite: Type.Optional(Type.Record(text, text)),
    tests: Type.Integer({ minimum: 0, description: "How many tests it carries." }),
    ...place,
  },
  "Route",
);

const scalar = Type.Union([text, Type.Number(), Type.Boolean()]);

export const policy = closed(
  {
    name: text,
    tools,
    action: oneOf(["approve", "ask", "deny"]),
    conditions: Type.Array(
      closed({
        type: oneOf(conditionTypes),
        operator: oneOf(operators),
        value: Type.Union([scalar, Type.Array(scalar)]),
        field: Type.Optional(text),
      }),
    ),
    priority: Type.Number(),
    reason: Type.Optional(text),
    modes: Type.Optional(Type.Array(mode)),
    tests: Type.Integer({ minimum: 0 }),
    ...place,
  },
  "Policy",
);

export const limit = closed(
  {
    name: text,
    tools: Type.Optional(texts),
    category: Type.Optional(text),
    per: oneOf(["tool", "category", "session", "caller", "gate"]),
    max: Type.Optional(Type.Integer()),
    windowMs: Type.Optional(Type.Integer()),
    concurrent: Type.Optional(Type.Integer()),
    source: Type.Optional(ruleSource),
  },
  "Limit",
);

export const hook = closed(
  {
    name: text,
    type: oneOf(["PreToolUse", "PostToolUse", "OnError"]),
    tools,
    timeoutMs: Type.Optional(Type.Number()),
    failMode: oneOf(["closed", "open"]),
    isCancellable: Type.Boolean(),
    source: Type.Optional(ruleSource),
  },
  "Hook",
);

export const routeList = closed(
  {
    version,
    routes: Type.Array(route),
    steppedAside: Type.Array(closed({ name: text, for: text }), {
      description: "Shipped routes that another source replaces.",
    }),
  },
  "RouteList",
);
export const policyList = closed({ version, policies: Type.Array(policy) }, "PolicyList");
export const limitList = closed({ version, limits: Type.Array(limit) }, "LimitList");
export const hookList = closed({ version, hooks: Type.Array(hook) }, "HookList");
