/** The format of a configuration file as one JSON Schema: files are checked against it, and editors get it as `schemas/*.json`. */
import { permissions } from "../../core/tool/permission.ts";
import { conditionTypes, operators } from "../../rules/conditions/condition.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";
import { dialects } from "../settings/agent-dialect.ts";
import { anchorsSchema } from "../settings/ledger-settings.ts";
import { mcpSchema } from "../settings/mcp-settings.ts";
import { sandboxSchema } from "../settings/sandbox-settings.ts";
import { serverSchema } from "./server-schema.ts";
import { upstreamSchema, upstreamsSchema } from "./upstream-schema.ts";

/** The search services whose questions and answers are known. */
export const searchFormats = ["searxng", "brave"] as const;

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
  field: text(
    "The input field to look at. By default the call's command, URL and path; without any of them its query, prompt, pattern, skill and description.",
    { minLength: 1 },
  ),
  action: choice(
    ["block", "allow", "rewrite"],
    "block: refuse, with the message. allow: later routes of the same source group no longer count. rewrite: change fields, then route again.",
    { default: "block" },
  ),
  message: text(
    "For block: what to do instead. The model reads it as it is written; $1 to $9 stand for groups that the pattern has.",
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

const hook = {
  type: choice(
    ["PreToolUse", "PostToolUse", "OnError"],
    "PreToolUse: before the call is decided. PostToolUse: after it ran. OnError: after it failed.",
  ),
  toolPatterns: ref("tools"),
  command: {
    description:
      "What is started: a line for sh, or a list of a program and its arguments. The call comes as JSON on its standard input.",
    oneOf: [
      { type: "string", minLength: 1 },
      { type: "array", items: { type: "string" }, minItems: 1 },
    ],
    examples: ["./check-call.sh", ["python3", "check_call.py"]],
  },
  timeoutMs: {
    type: "integer",
    minimum: 1,
    default: 10_000,
    description: "How long it may hold up a call, waiting for its turn included.",
  },
  failMode: choice(["closed", "open"], "What a crash, a time-out or nonsense means. closed stops the call.", {
    default: "closed",
  }),
  isCancellable: {
    type: "boolean",
    default: true,
    description: "false: it runs to its end even when the call is cancelled.",
  },
  mode: choice(
    ["process", "daemon"],
    "process: started for each call. daemon: one process that stays, a line of JSON for each call.",
    { default: "process" },
  ),
  wire: choice(
    ["toolgate", "claude-code"],
    "In which words it is asked. claude-code: as that client asks its hooks.",
    { default: "toolgate" },
  ),
  env: {
    type: ["array", "null"],
    description: "Names of variables to hand over, besides PATH, HOME and the like.",
    items: { type: "string", minLength: 1 },
  },
  cwd: text("The folder it runs in. By default the one of this file.", { minLength: 1 }),
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
  hook: closed(
    hook,
    ["type", "command"],
    "A program that looks at calls: it can stop, change and comment them.",
  ),
};

const webSearch = closed(
  {
    url: text("The service's address, without the question: it is added as the format says.", {
      minLength: 1,
      maxLength: 2_000,
      examples: ["https://search.example.org/search", "https://api.search.brave.com/res/v1/web/search"],
    }),
    format: choice(
      searchFormats,
      "How it is asked and answers. searxng: ?q=...&format=json. brave: ?q=...&count=..., with a key.",
      { default: "searxng" },
    ),
    key_env: text("The environment variable that holds its key. Keys do not belong into this file.", {
      ...named,
      examples: ["BRAVE_API_KEY"],
    }),
    key_header: text("The header for the key. By default what the format uses.", {
      ...named,
      examples: ["Authorization"],
    }),
    key_prefix: text("Written before the key.", { maxLength: 100, examples: ["Bearer "] }),
    allow_private: {
      type: "boolean",
      description:
        "It runs on this machine or in one's own network. Without this only public addresses are asked.",
      default: false,
    },
  },
  ["url"],
  "The service that answers web.search.",
);

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
        description:
          "Programs that look at calls, and how calls are answered that an agent runs itself and only asks about.",
        properties: {
          default: choice(
            ["abstain", "ask", "deny"],
            "What silence of the rules means. abstain: the agent's own prompts apply.",
            { default: "abstain" },
          ),
          concurrent: {
            type: "integer",
            minimum: 1,
            default: 8,
            description: "At most so many of the programs run at the same time.",
          },
          commands: byName("hook", "Programs by name, in the order in which they look at a call."),
        },
        additionalProperties: false,
      },
      shell: {
        type: ["object", "null"],
        description: "How command lines are read that an agent runs itself.",
        properties: {
          dialect: choice(
            dialects,
            "The agent's shell. auto: what its environment says, on macOS zsh unless it says bash. Of a project's file only zsh, the stricter, unless it is trusted.",
            { default: "auto" },
          ),
        },
        additionalProperties: false,
      },
      ledger: {
        type: ["object", "null"],
        description: "How records are kept. Of a project's file only if it is trusted.",
        properties: {
          durability: choice(
            ["process-death", "power-loss"],
            "What an acknowledged record survives. power-loss waits for the disk at every commit.",
            { default: "process-death" },
          ),
          keep_days: {
            type: "integer",
            minimum: 1,
            description: "Older records are removed, with a signed note. By default they are kept.",
          },
          anchors: anchorsSchema,
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
          ceilings: {
            type: ["object", "null"],
            description:
              "The most that tools of a category may do, by category: read, write or execute. Higher or lower than by default.",
            propertyNames: { type: "string", ...named },
            additionalProperties: choice(permissions, "read < write < execute."),
            examples: [{ code: "execute" }],
          },
        },
        additionalProperties: false,
      },
      plugins: {
        type: ["object", "null"],
        description: "Where plugin files are, besides the user's own folder.",
        properties: {
          folders: {
            type: ["array", "null"],
            description:
              "Folders with plugin files: relative to this file, absolute or below ~/. In a project each plugin file has to be trusted.",
            items: { type: "string", minLength: 1 },
          },
        },
        additionalProperties: false,
      },
      web: {
        type: ["object", "null"],
        description: "What the web tools use.",
        properties: { search: webSearch },
        additionalProperties: false,
      },
      sandbox: sandboxSchema,
      upstreams: upstreamsSchema,
      server: serverSchema,
      mcp: mcpSchema,
    },
    [],
    "Rules and settings of toolgate (toolgate.yaml, config.yaml).",
  ),
  $defs: { ...rules, upstream: upstreamSchema },
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
