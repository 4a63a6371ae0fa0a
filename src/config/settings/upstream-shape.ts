/** How an upstream MCP server is written: the section `upstreams` of a configuration file. */
import { byName, choice, closed, count, duration, flag, text } from "../../core/input/shape.ts";
import { permissions } from "../../core/tool/permission.ts";
import { sandboxModes } from "../../core/tool/sandbox-rules.ts";

/** As files name an environment variable. */
const variable = (name: string): string => `\${${name}}`;
const word = { minLength: 1 } as const;
const texts = (description: string, example: readonly string[]) =>
  ({ type: ["array", "null"], description, items: { type: "string" }, examples: [example] }) as const;
const values = (description: string, example: Readonly<Record<string, string>>) =>
  byName({ type: "string" }, description, { examples: [example] });
const permission = choice(
  permissions,
  "What its tools do at most, as rules see it: read, write or execute. By default execute, so that somebody is asked.",
);

/** `checkUpstreams` says what a schema cannot: either command or url, and what goes with which. */
export const upstreamShape = {
  type: "object",
  description: `A server, started here (command) or reached (url). ${variable("NAME")} in a value stands for an environment variable.`,
  properties: {
    command: text("The program to start.", { ...word, examples: ["npx"] }),
    args: texts("Its arguments.", ["-y", "@modelcontextprotocol/server-filesystem", "."]),
    env: values("Variables for it, besides PATH, HOME and the like.", {
      GITHUB_TOKEN: variable("GITHUB_TOKEN"),
    }),
    env_pass: texts("Names of variables to hand over as they are.", ["GITHUB_TOKEN"]),
    cwd: text("The folder it runs in, from that of this file. By default the project.", word),
    sandbox: choice(
      sandboxModes,
      "Whether it runs in a sandbox that hides toolgate's own files and lets it write in the project only.",
      { default: "off" },
    ),
    url: text("Where it is reached, over Streamable HTTP.", {
      ...word,
      examples: ["https://mcp.example.com/mcp"],
    }),
    headers: values("Headers for every request.", { Authorization: `Bearer ${variable("EXAMPLE_TOKEN")}` }),
    oauth: closed(
      {
        token_url: text("Where tokens are given out.", word),
        client_id: text("Who asks.", word),
        client_secret: text(`Its secret: ${variable("NAME")}.`, word),
        scope: text("What for.", word),
      },
      ["token_url", "client_id", "client_secret"],
      "A token by OAuth client credentials, fetched when it is needed.",
    ),
    enabled: flag("false: it is left out.", { default: true }),
    permission,
    tools: {
      type: ["object", "null"],
      description: "About single tools, by the name that the server gives them.",
      additionalProperties: {
        type: "object",
        properties: { permission, enabled: flag("false: it is not offered.", { default: true }) },
        additionalProperties: false,
      },
    },
    trust_annotations: flag("Believe it which of its tools only read (readOnlyHint) or destroy nothing.", {
      default: false,
    }),
    review: flag("Its tools are hidden until somebody accepts them, also at first sight.", {
      default: false,
    }),
    timeout_ms: duration(1, "How long a call may take.", { default: "1m" }),
    start_timeout_ms: duration(1, "How long it may take to start.", { default: "30s" }),
    max_concurrent: count(1, "At most so many calls at the same time.", { default: 64 }),
    era: choice(["auto", "legacy", "modern"], "Which form of the protocol is spoken.", { default: "auto" }),
  },
  additionalProperties: false,
} as const;

export const upstreamsShape = byName(
  upstreamShape,
  "MCP servers whose tools are offered as name__tool. Of a project's file only if it is trusted.",
  { propertyNames: { type: "string", minLength: 1, maxLength: 32 } },
);
