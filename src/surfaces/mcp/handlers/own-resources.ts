/** The gate's own resources: its tools and its rules, as a client may read them. */
import type { JsonObject } from "../../../core/input/json.ts";
import { patternNames } from "../../../core/tool/tool-pattern.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { McpTransport } from "../server-parts.ts";

export const toolsUri = "toolgate://tools";
export const rulesUri = "toolgate://rules";

export function listOwnResources({ mayRead = true }: McpTransport): readonly JsonObject[] {
  return mayRead ? [toolsResource, rulesResource] : [toolsResource];
}

/** Undefined: there is none under this URI. */
export function readOwnResource(uri: string, transport: McpTransport, gate: Gate): JsonObject | undefined {
  if (uri === toolsUri) return { contents: [jsonContent(uri, describeTools(gate, transport))] };
  if (uri === rulesUri && transport.mayRead !== false)
    return { contents: [jsonContent(uri, describeRules(gate))] };
  return undefined;
}

const toolsResource = {
  uri: toolsUri,
  name: "tools",
  title: "Tools of the gate",
  description:
    "Every tool with its category, what it may do, where it comes from, and what stands in its way.",
  mimeType: "application/json",
};

const rulesResource = {
  uri: rulesUri,
  name: "rules",
  title: "Rules of the gate",
  description: "The routes, policies, limits and hooks in force.",
  mimeType: "application/json",
};

function jsonContent(uri: string, value: unknown): JsonObject {
  return { uri, mimeType: "application/json", text: JSON.stringify(value, null, 2) };
}

function describeTools(gate: Gate, { caller }: McpTransport): unknown {
  const tools = gate.tools.view(caller === undefined ? {} : { caller });
  return {
    tools: tools.map(({ wireName, id, description, category, permission, source, callable, why }) => ({
      name: wireName,
      id,
      description,
      category,
      permission,
      source: source.kind,
      ...(source.name !== undefined && { from: source.name }),
      callable,
      ...(why && { why: why.message }),
    })),
  };
}

function describeRules(gate: Gate): unknown {
  const { routes, policies, limits, hooks } = gate.rules;
  return {
    version: gate.rulesVersion,
    routes: routes.map(({ tool, tests: _tests, ...rest }) => ({ ...rest, tools: patternNames(tool) })),
    policies: policies.map(({ tools, tests: _tests, ...rest }) => ({ ...rest, tools: patternNames(tools) })),
    limits,
    hooks: hooks.map(({ name, type }) => ({ name, type })),
  };
}
