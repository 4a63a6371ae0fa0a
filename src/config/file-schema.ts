/** The format of a configuration file as one JSON Schema: files are checked against it, and editors get it as `schemas/*.json`. */
import { conditionTypes, operators } from "../rules/condition.ts";
import { serverSchema } from "./server-schema.ts";

/** The keywords that the format uses; `checkShape` knows exactly these. */
export interface SchemaPart {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
  readonly title?: string;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly (string | number)[];
  /** Forms of different types: what stands in the file chooses one by its type. */
  readonly oneOf?: readonly SchemaPart[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaPart;
  readonly propertyNames?: SchemaPart;
  readonly items?: SchemaPart;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
}

export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

const ref = (name: string): SchemaPart => ({ $ref: `#/$defs/${name}` });
const text = (description: string, more: SchemaPart = {}): SchemaPart => ({
  type: "string",
  description,
  ...more,
});
const choice = (values: readonly string[], description: string, more: SchemaPart = {}): SchemaPart => ({
  enum: values,
  description,
  ...more,
});
const closed = (
  properties: Readonly<Record<string, SchemaPart>>,
  required: readonly string[],
  description: string,
): SchemaPart => ({ type: "object", description, properties, required, additionalProperties: false });

const named = { minLength: 1, maxLength: 100 } as const;
const name = text("Unique among the rules of its kind; shown wherever the rule decides.", named);

/** A section may be empty: everything below it commented out. */
const byName = (rule: string, description: string): SchemaPart => ({
  type: ["object", "null"],
  description,
  propertyNames: { type: "string", ...named },
  additionalProperties: ref(rule),
});
const byNameOrList = (rule: string, description: string): SchemaPart => ({
  description,
  oneOf: [
    { type: "object", propertyNames: { type: "string", ...named }, additionalProperties: ref(rule) },
    { type: "array", items: ref(`named_${rule}`) },
    { type: "null" },
  ],
});

const tests: SchemaPart = {
  type: ["array", "null"],
  description: "Examples that `toolgate test` runs: calls, and what this file's rules make of them.",
  items: ref("test"),
};

const route = {
  tool: ref("tools"),
  pattern: text(
    "A JavaScript regular expression that is looked for in the field. Best in single quotes: 'git\\s+push'.",
    { minLength: 1, examples: ["^https://github\\.com/[^/]+/[^/]+/pull/\\d+"] },
  ),
  flags: text("Flags of the regular expression: i, m, s, u or v.", { examples: ["i"] }),
  field: text("The input field to look at. By default the tool's command, URL or path.", { minLength: 1 }),
  action: choice(
    ["block", "allow", "rewrite"],
    "block: refuse, with the message. allow: later routes of the same source group no longer count. rewrite: change fields, then route again.",
    { default: "block" },
  ),
  message: text(
    "For block: what to do instead. The model reads it. $1 stands for the pattern's first group.",
  ),
  rewrite: {
    type: "object",
    description:
      "For rewrite: new values for fields. $1 is the first group, $& the whole match, $$ a dollar sign.",
    additionalProperties: { type: "string" },
    examples: [{ command: "git --no-pager log -n 20" }],
  },
  tests,
} as const satisfies Record<string, SchemaPart>;

const policy = {
  tools: ref("tools"),
  action: choice(["approve", "ask", "deny"], "What happens when all conditions hold."),
  conditions: {
    type: ["array", "null"],
    description: "All must hold. Without any, the policy always does.",
    items: ref("condition"),
  },
  priority: {
    type: "number",
    description: "A higher one sets lower ones of the same or a less trusted tier aside.",
    default: 0,
  },
  reason: text("Shown to the person who is asked and to the model that is refused."),
  modes: {
    type: "array",
    description: "Only in these modes.",
    items: choice(["act", "plan"], "plan allows reading only."),
    minItems: 1,
  },
  tests,
} as const satisfies Record<string, SchemaPart>;

const limit = {
  tools: ref("tools"),
  category: text("Only tools of this category.", { minLength: 1 }),
  per: choice(["tool", "category", "session", "caller", "gate"], "What shares one count.", {
    default: "tool",
  }),
  max: { type: "integer", minimum: 0, description: "At most so many calls in any windowMs." },
  windowMs: { type: "integer", minimum: 1, description: "The length of the window, in milliseconds." },
  concurrent: { type: "integer", minimum: 0, description: "At most so many calls at the same time." },
} as const satisfies Record<string, SchemaPart>;

const scalar: SchemaPart = { type: ["string", "number", "boolean"] };

const shared: Readonly<Record<string, SchemaPart>> = {
  tools: {
    description:
      'A tool\'s name (Bash, WebFetch, fs.read), a pattern with * in quotes ("mcp__github__*"), or a list of them.',
    oneOf: [ref("toolName"), { type: "array", items: ref("toolName"), minItems: 1 }],
  },
  toolName: { type: "string", minLength: 1, pattern: "^[^\\s,|]+$" },
  route: closed(
    route,
    ["tool", "pattern"],
    "Sends a call to the better tool: blocks it with advice, lets it pass, or rewrites it.",
  ),
  test: closed(
    {
      desc: text("What it shows."),
      input: closed(
        {
          tool_name: text("The tool as the agent calls it.", { minLength: 1 }),
          tool_input: { type: "object", description: "The call's input.", additionalProperties: true },
        },
        ["tool_name", "tool_input"],
        "The call.",
      ),
      expect: choice(["block", "allow", "ask"], "allow also means that no rule speaks."),
      contains: text("The message must hold this text."),
    },
    ["input", "expect"],
    "A call, and what the rules of this file must make of it.",
  ),
};

const rules: Readonly<Record<string, SchemaPart>> = {
  ...shared,
  policy: closed(policy, ["tools", "action"], "Approves, asks or denies."),
  named_policy: closed({ name, ...policy }, ["name", "tools", "action"], "Approves, asks or denies."),
  condition: closed(
    {
      type: choice(conditionTypes, "What it looks at."),
      operator: choice(operators, "How it compares."),
      value: {
        description: "What it compares with. A list holds when any of its values does.",
        oneOf: [scalar, { type: "array", items: scalar, minItems: 1 }],
      },
      field: text("For argument: the name of the argument; dots descend.", { minLength: 1 }),
    },
    ["type", "operator", "value"],
    "One question about one part of a call.",
  ),
  limit: closed(limit, [], "How many calls in a window, how many at once."),
  named_limit: closed({ name, ...limit }, ["name"], "How many calls in a window, how many at once."),
};

const head = {
  $schema: text("For editors; not read."),
  version: { enum: [1], description: "The version of this format." },
  description: text("What the file is for; not read."),
} as const satisfies Record<string, SchemaPart>;

const routes = byName("route", "Routes by name. The first match of a source wins.");

export const configSchema: SchemaPart = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:toolgate:schema:config:1",
  title: "toolgate configuration",
  ...closed(
    {
      ...head,
      routes,
      policies: byNameOrList("policy", "Policies by name, or as a list of objects with a name."),
      limits: byNameOrList("limit", "Limits by name, or as a list of objects with a name."),
      hooks: {
        type: ["object", "null"],
        description: "How calls are answered that an agent runs itself and only asks about.",
        properties: {
          default: choice(
            ["abstain", "ask", "deny"],
            "What silence of the rules means. abstain: the agent's own prompts apply.",
            { default: "abstain" },
          ),
        },
        additionalProperties: false,
      },
      tools: {
        type: ["object", "null"],
        description: "Which tools are on.",
        properties: {
          enable_all: {
            type: "boolean",
            description: "Every category on; policies still decide on each call.",
          },
          enabled_categories: {
            type: "array",
            description: "Categories switched on besides those that are on by default.",
            items: { type: "string", minLength: 1 },
          },
        },
        additionalProperties: false,
      },
      server: serverSchema,
    },
    [],
    "Rules and settings of toolgate (toolgate.yaml, config.yaml).",
  ),
  $defs: rules,
};

export const routesSchema: SchemaPart = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:toolgate:schema:tool-routes:1",
  title: "toolgate routes",
  ...closed(
    { ...head, routes },
    [],
    "Routes that an agent plugin or a project brings along (tool-routes.yaml).",
  ),
  $defs: shared,
};
