// toolgate's whole walk, with few and with many rules: one tool that some rules concern, one that none concerns.

import { createGate, createMemoryLedger, defineTool } from "../../dist/index.js";
import { description, inputAt, jsonSchema } from "./add-tool.mjs";

export const matching = "toolgate, whole walk, rules match";
export const untouched = "toolgate, whole walk, no rule concerns it";
export const matchingMany = "the same, 10,000 more routes and policies (rules match)";
export const untouchedMany = "the same, 10,000 more routes and policies (none concerns it)";

export async function gateSubjects() {
  const few = await gateWith(0);
  const many = await gateWith(10_000);
  return [
    subject(matching, few, "math.add"),
    subject(untouched, few, "plain.sum"),
    subject(matchingMany, many, "math.add"),
    subject(untouchedMany, many, "plain.sum"),
  ];
}

function subject(name, gate, tool) {
  return {
    name,
    call: (index) => gate.dispatch({ tool, input: inputAt(index), sessionId: "bench" }),
    sum: (outcome) => outcome.value,
    verify: () => verify(gate, tool),
    close: () => gate.close(),
  };
}

/** 10 routes, 20 policies, 3 hooks and a limit, of which 3, 5, 3 and 1 concern `math.add`; then as many for other tools as asked. */
async function gateWith(others) {
  const rules = {
    routes: [...addRoutes, ...fill(7 + others, otherRoute)],
    policies: [...addPolicies, ...fill(15 + others, otherPolicy)],
    hooks: addHooks,
    // So large that no run reaches it: the limit is counted, never hit.
    limits: [
      { name: "calls-per-second", tools: "math.*", per: "session", max: 100_000_000, windowMs: 1_000 },
    ],
  };
  checkRules(rules);
  return createGate({
    tools: [addTool("math.add"), addTool("plain.sum")],
    ledger: createMemoryLedger({ maxRecords: keptRecords }),
    ...rules,
  });
}

/**
 * Fewer than the usual 1,000. With those, V8 sees in the first milliseconds that every record outlives a collection of garbage, and in two
 * of five processes puts all records of the run among what is old: 0.3 us a call, by chance, for what no real gate does 500,000 times a
 * second.
 */
const keptRecords = 100;

/** One wildcard too wide, and the row "no rule concerns it" would measure something else. */
function checkRules({ routes, policies, hooks, limits }) {
  const patterns = [
    routes.map(({ tool }) => tool),
    policies.map(({ tools }) => tools),
    hooks.map(({ toolPatterns }) => toolPatterns),
    limits.map(({ tools }) => tools),
  ];
  for (const [tool, expected] of [
    ["math.add", "3,5,3,1"],
    ["plain.sum", "0,0,0,0"],
  ]) {
    const counts = patterns
      .map((list) => list.filter((pattern) => [pattern].flat().some((one) => matches(one, tool))).length)
      .join();
    if (counts !== expected)
      throw new Error(`Of routes, policies, hooks and limits ${counts} concern ${tool}, not ${expected}.`);
  }
}

function matches(pattern, tool) {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`).test(tool);
}

function addTool(id) {
  return defineTool({
    id,
    description,
    permission: "read",
    input: jsonSchema,
    run: async ({ a, b }) => a + b,
  });
}

const addRoutes = [
  {
    name: "no-products",
    tool: "math.add",
    field: "note",
    pattern: "\\b(product|multiply|times)\\b",
    message: "Use math.multiply.",
  },
  {
    name: "no-secrets",
    tool: "math.*",
    field: "note",
    pattern: "(password|token|secret)\\s*[:=]",
    message: "Leave the secret out.",
  },
  {
    name: "no-shell",
    tool: ["math.add", "math.sum"],
    field: "note",
    pattern: "^\\s*(rm|curl|sudo)\\s",
    message: "Use the shell tool.",
  },
];

const addPolicies = [
  {
    name: "no-huge-numbers",
    tools: "math.add",
    action: "deny",
    priority: 90,
    conditions: [{ type: "argument", field: "a", operator: "greaterThan", value: 1e12 }],
  },
  {
    name: "ask-for-drafts",
    tools: "math.*",
    action: "ask",
    priority: 80,
    conditions: [{ type: "argument", field: "note", operator: "startsWith", value: "draft" }],
  },
  {
    name: "ask-before-writing",
    tools: "*.add",
    action: "ask",
    priority: 70,
    conditions: [
      { type: "risk", operator: "greaterThan", value: "read" },
      { type: "argument", field: "note", operator: "contains", value: "sum" },
    ],
  },
  {
    name: "small-sums",
    tools: "math.add",
    action: "approve",
    priority: 60,
    conditions: [
      { type: "argument", field: "b", operator: "lessThan", value: 1_000 },
      { type: "risk", operator: "equals", value: "read" },
    ],
  },
  { name: "everything-else", tools: ["math.add", "math.sum"], action: "ask", priority: 10 },
];

const addHooks = [
  { name: "looks-only", type: "PreToolUse", toolPatterns: "math.*", run: () => undefined },
  {
    name: "adds-context",
    type: "PreToolUse",
    toolPatterns: "math.add",
    run: () => "Sums are exact up to 2^53.",
  },
  {
    name: "checks-a-field",
    type: "PreToolUse",
    toolPatterns: ["math.add", "math.sum"],
    run: ({ preToolUse }) =>
      preToolUse.parameters.a < 0 ? { cancel: true, errorMessage: "No negative numbers." } : undefined,
  },
];

function otherRoute(index) {
  return {
    name: `other-route-${index}`,
    tool: otherTools(index),
    field: "command",
    pattern: `^tool-${index}\\b.*--force`,
    message: "Not with --force.",
  };
}

function otherPolicy(index) {
  const conditions = [{ type: "argument", field: "command", operator: "contains", value: `part-${index}` }];
  return {
    name: `other-policy-${index}`,
    tools: otherTools(index),
    action: index % 3 === 0 ? "deny" : "ask",
    priority: index % 100,
    conditions,
  };
}

/** Names, lists and wildcards, as people write them. */
function otherTools(index) {
  if (index % 3 === 0) return `server${index % 40}.*`;
  return index % 3 === 1
    ? `server${index % 40}.verb${index}`
    : [`server${index % 40}.verb${index}`, `server${index % 7}.list`];
}

function fill(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The bars mean nothing if the rules do not do what the row says. */
async function verify(gate, tool) {
  const { verdict, rule, walk } = await gate.explain({ tool, input: inputAt(1), sessionId: "bench" });
  const found = Object.fromEntries(walk.map(({ stage, finding }) => [stage, finding]));
  const expected =
    tool === "math.add"
      ? [
          "small-sums",
          "none of 3 routes stops it",
          "3 hooks passed (looks-only, adds-context, checks-a-field)",
          "within 1 limit",
        ]
      : [
          "read-inside-workspace",
          "no route concerns this tool",
          "no hook concerns this tool",
          "no limit concerns this tool",
        ];
  const actual = [rule?.name, found.route, found["before-hooks"], found.limit];
  if (verdict !== "allow" || actual.join() !== expected.join())
    throw new Error(`${tool} walked otherwise than meant: ${verdict}, ${actual.join("; ")}`);
}
