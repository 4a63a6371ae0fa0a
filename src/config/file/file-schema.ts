/** The format of a configuration file: files are checked against it, and editors get it as JSON Schema. */
import { hookShape } from "../../core/call/hook-shape.ts";
import { byName, choice, closed, count, named, type Shaped, section, text } from "../../core/input/shape.ts";
import { toolPatternShape } from "../../core/tool/tool-pattern.ts";
import { limitShape } from "../../rules/shapes/limit-shape.ts";
import { conditionShape, policyShape } from "../../rules/shapes/policy-shape.ts";
import { routeShape } from "../../rules/shapes/route-shape.ts";
import { testShape } from "../../rules/shapes/test-shape.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";
import { dialects } from "../settings/agent-dialect.ts";
import { askers, doubters } from "../settings/asking-settings.ts";
import { ledgerShape } from "../settings/ledger-settings.ts";
import { mcpShape } from "../settings/mcp-settings.ts";
import { notifyShape } from "../settings/notify-settings.ts";
import { sandboxShape } from "../settings/sandbox-settings.ts";
import { serverShape } from "../settings/server-settings.ts";
import { runnerShape, sessionsShape } from "../settings/session-settings.ts";
import { storeShape } from "../settings/store-settings.ts";
import { categoriesShape, categoryShape, toolsShape } from "../settings/tools-settings.ts";
import { upstreamShape, upstreamsShape } from "../settings/upstream-shape.ts";
import { webShape } from "../settings/web-settings.ts";

const words = (description: string) =>
  ({ type: "array", description, items: { type: "string", minLength: 1 } }) as const;

/** The sections that are no rules. */
export const sections = {
  hooks: section(
    {
      default: choice(
        ["abstain", "ask", "deny"],
        "What silence of the rules means. abstain: the agent's own prompts apply.",
        { default: "abstain" },
      ),
      ask: choice(
        askers,
        "Who is asked where a rule asks. agent: the agent's own prompt, where it has a safe one. queue: whoever answers approvals. auto: the queue while somebody watches it, else the agent.",
        { default: "auto" },
      ),
      unsure: choice(
        doubters,
        "A rule may or may not concern a call that cannot be read in advance. auto: the agent's own prompt decides where it is on, else ask.",
        { default: "auto" },
      ),
      concurrent: count(1, "At most so many of the programs run at the same time.", { default: 8 }),
      commands: byName(hookShape, "Programs by name, in the order in which they look at a call."),
    },
    "Programs that look at calls, and how calls are answered that an agent runs itself and only asks about.",
  ),
  shell: section(
    {
      dialect: choice(
        dialects,
        "The agent's shell. auto: what its environment says, on macOS zsh unless it says bash. Of a project's file only zsh, the stricter, unless it is trusted.",
        { default: "auto" },
      ),
    },
    "How command lines are read that an agent runs itself.",
  ),
  ledger: ledgerShape,
  store: storeShape,
  tools: toolsShape,
  categories: categoriesShape,
  plugins: section(
    {
      folders: {
        ...words(
          "Folders with plugin files: relative to this file, absolute or below ~/. In a project each plugin file has to be trusted.",
        ),
        type: ["array", "null"],
      },
    },
    "Where plugin files are, besides the user's own folder.",
  ),
  web: webShape,
  sandbox: sandboxShape,
  upstreams: upstreamsShape,
  notify: notifyShape,
  server: serverShape,
  sessions: sessionsShape,
  mcp: mcpShape,
  shipped: {
    description:
      "The routes that come with toolgate. off: none of them counts; a list of names: these do not. Of a project's file only if it is trusted.",
    oneOf: [
      { type: "string", enum: ["on", "off"] },
      { type: "boolean" },
      words("Names of shipped routes."),
      { type: "null" },
    ],
    default: "on",
    examples: ["off", ["bash-echo-redirect"]],
  },
} as const;

const head = {
  $schema: text("For editors; not read."),
  version: choice([1], "The version of this format."),
  description: text("What the file is for; not read."),
} as const;

const name = text("Unique among the rules of its kind; shown wherever the rule decides.", named);
const namedPolicy = closed(
  { name, ...policyShape.properties },
  ["name", ...policyShape.required],
  policyShape.description,
);
const namedLimit = closed({ name, ...limitShape.properties }, ["name"], limitShape.description);

const byNameOrList = <const Rule extends object, const Named extends object>(
  rule: Rule,
  list: Named,
  description: string,
) => {
  const { description: _, type: __, ...names } = byName(rule, "");
  return {
    description,
    oneOf: [{ ...names, type: "object" }, { type: "array", items: list }, { type: "null" }],
  } as const;
};

const routes = byName(routeShape, "Routes by name. The first match of a source wins.");

const fileShape = closed(
  {
    ...head,
    routes,
    policies: byNameOrList(
      policyShape,
      namedPolicy,
      "Policies by name, or as a list of objects with a name.",
    ),
    limits: byNameOrList(limitShape, namedLimit, "Limits by name, or as a list of objects with a name."),
    ...sections,
  },
  [],
  "Rules and settings of toolgate (toolgate.yaml, config.yaml).",
);

/** What a file of the right shape says. A key with nothing behind it is null. */
export type WrittenFile = Shaped<typeof fileShape>;

const ofRoutes = {
  tools: toolPatternShape,
  toolName: toolPatternShape.oneOf[0],
  route: routeShape,
  test: testShape,
};

export const configSchema = withDefinitions("config", "toolgate configuration", fileShape, {
  ...ofRoutes,
  policy: policyShape,
  named_policy: namedPolicy,
  condition: conditionShape,
  limit: limitShape,
  named_limit: namedLimit,
  hook: hookShape,
  category: categoryShape,
  upstream: upstreamShape,
  runner: runnerShape,
});

export const routesSchema = withDefinitions(
  "tool-routes",
  "toolgate routes",
  closed(
    { ...head, routes },
    [],
    "Routes that an agent plugin or a project brings along (tool-routes.yaml).",
  ),
  ofRoutes,
);

/** Parts that stand in several places are written once, under `$defs`. */
function withDefinitions(
  id: string,
  title: string,
  shape: SchemaPart,
  parts: Readonly<Record<string, SchemaPart>>,
): SchemaPart {
  const names = new Map<unknown, string>(Object.entries(parts).map(([key, part]) => [part, key]));
  const inside = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(refer);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, refer(value)]));
  };
  const refer = (part: unknown): unknown =>
    names.has(part) ? { $ref: `#/$defs/${names.get(part)}` } : inside(part);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:toolgate:schema:${id}:1`,
    title,
    ...(inside(shape) as SchemaPart),
    $defs: Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, inside(part) as SchemaPart])),
  };
}
