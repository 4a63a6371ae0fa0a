/** The section `sandbox` of a configuration file: which programs that tools start run in a sandbox. */
import type { JsonObject } from "../../core/input/json.ts";
import { type SandboxRules, sandboxModes } from "../../core/tool/sandbox-rules.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";

const mode: SchemaPart = {
  enum: sandboxModes,
  description: "off, preferred (where there is one) or required.",
};
const byName = (description: string, example: object): SchemaPart => ({
  type: ["object", "null"],
  description,
  propertyNames: { type: "string", minLength: 1, maxLength: 100 },
  additionalProperties: mode,
  examples: [example],
});

export const sandboxSchema: SchemaPart = {
  type: ["object", "null"],
  description:
    "Which programs that tools start run in a sandbox (Linux, bubblewrap). Of several files the strictest counts; an untrusted project can only make it stricter.",
  properties: {
    mode: {
      ...mode,
      description: "For everything that starts programs: shell, plugin tools, checkers, upstreams.",
    },
    network: {
      type: "boolean",
      description: "Whether commands in the sandbox reach the network. Upstream servers always do.",
      default: false,
    },
    categories: byName("By category, instead of mode. Upstream servers have the category mcp.", {
      shell: "required",
    }),
    tools: byName("By a tool's id or an upstream server's name, instead of its category.", { deploy: "off" }),
  },
  additionalProperties: false,
};

/** The shape was checked against the schema. */
export function toSandboxRules(section: JsonObject): SandboxRules {
  return Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));
}
