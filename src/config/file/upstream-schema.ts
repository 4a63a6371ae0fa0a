/** The section `upstreams` of a configuration file. */
import { permissions } from "../../core/tool/permission.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";

/** As files name an environment variable. */
const variable = (name: string): string => `\${${name}}`;
const named = { minLength: 1, maxLength: 100 } as const;
const text = (description: string, more: SchemaPart = {}): SchemaPart => ({
  type: "string",
  minLength: 1,
  description,
  ...more,
});
const texts = (description: string, examples: readonly string[]): SchemaPart => ({
  type: ["array", "null"],
  description,
  items: { type: "string" },
  examples: [examples],
});
const values = (description: string, example: Readonly<Record<string, string>>): SchemaPart => ({
  type: ["object", "null"],
  description,
  propertyNames: { type: "string", ...named },
  additionalProperties: { type: "string" },
  examples: [example],
});
const count = (description: string, standard: number): SchemaPart => ({
  type: "integer",
  minimum: 1,
  description,
  default: standard,
});
const choice = (of: readonly string[], description: string, more: SchemaPart = {}): SchemaPart => ({
  enum: of,
  description,
  ...more,
});
const permission = choice(
  permissions,
  "What its tools do at most, as rules see it: read, write or execute. By default execute, so that somebody is asked.",
);

/** `checkUpstreams` says what a schema cannot: either command or url, and what goes with which. */
export const upstreamSchema: SchemaPart = {
  type: "object",
  description: `A server, started here (command) or reached (url). ${variable("NAME")} in a value stands for an environment variable.`,
  properties: {
    command: text("The program to start.", { examples: ["npx"] }),
    args: texts("Its arguments.", ["-y", "@modelcontextprotocol/server-filesystem", "."]),
    env: values("Variables for it, besides PATH, HOME and the like.", {
      GITHUB_TOKEN: variable("GITHUB_TOKEN"),
    }),
    env_pass: texts("Names of variables to hand over as they are.", ["GITHUB_TOKEN"]),
    cwd: text("The folder it runs in, from that of this file. By default the project."),
    sandbox: choice(
      ["off", "preferred", "required"],
      "Whether it runs in a sandbox that hides toolgate's own files and lets it write in the project only.",
      { default: "off" },
    ),
    url: text("Where it is reached, over Streamable HTTP.", { examples: ["https://mcp.example.com/mcp"] }),
    headers: values("Headers for every request.", { Authorization: `Bearer ${variable("EXAMPLE_TOKEN")}` }),
    oauth: {
      type: "object",
      description: "A token by OAuth client credentials, fetched when it is needed.",
      properties: {
        token_url: text("Where tokens are given out."),
        client_id: text("Who asks."),
        client_secret: text(`Its secret: ${variable("NAME")}.`),
        scope: text("What for."),
      },
      required: ["token_url", "client_id", "client_secret"],
      additionalProperties: false,
    },
    enabled: { type: "boolean", description: "false: it is left out.", default: true },
    permission,
    tools: {
      type: ["object", "null"],
      description: "About single tools, by the name that the server gives them.",
      additionalProperties: {
        type: "object",
        properties: {
          permission,
          enabled: { type: "boolean", description: "false: it is not offered.", default: true },
        },
        additionalProperties: false,
      },
    },
    trust_annotations: {
      type: "boolean",
      description: "Believe it which of its tools only read (readOnlyHint) or destroy nothing.",
      default: false,
    },
    review: {
      type: "boolean",
      description: "Its tools are hidden until somebody accepts them, also at first sight.",
      default: false,
    },
    timeout_ms: count("How long a call may take.", 60_000),
    start_timeout_ms: count("How long it may take to start.", 30_000),
    max_concurrent: count("At most so many calls at the same time.", 64),
    era: choice(["auto", "legacy", "modern"], "Which form of the protocol is spoken.", { default: "auto" }),
  },
  additionalProperties: false,
};

export const upstreamsSchema: SchemaPart = {
  type: ["object", "null"],
  description:
    "MCP servers whose tools are offered as name__tool. Of a project's file only if it is trusted.",
  propertyNames: { type: "string", minLength: 1, maxLength: 32 },
  additionalProperties: { $ref: "#/$defs/upstream" },
};
