/** Tools and calls as they go over the wire. */
import { Type } from "typebox";
import { permissions } from "../../../core/tool/permission.ts";
import { approvalRef, closed, mode, oneOf, refusal, ruleRef, stageName, toolResult } from "./shapes.ts";

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
export const toolSources = ["builtin", "plugin", "upstream", "library"] as const;

export const toolEntry = closed(
  {
    name: Type.String({ description: "The tool's id, such as `fs.read`." }),
    wireName: Type.String({ description: "The name for MCP and model APIs, such as `fs_read`." }),
    aliases: Type.Array(text),
    title: text,
    description: text,
    source: oneOf(toolSources),
    pluginName: Type.Optional(Type.String({ description: "The plugin it came with." })),
    serverName: Type.Optional(Type.String({ description: "The upstream server it came from." })),
    inputSchema: Type.Unknown({ description: "A JSON Schema." }),
    outputSchema: Type.Optional(Type.Unknown({ description: "A JSON Schema." })),
    category: text,
    permission: oneOf(permissions),
    capabilities: Type.Array(text),
    definitionHash: text,
    callable: Type.Boolean({ description: "Could this token call it now? Rules still decide on each call." }),
    why: Type.Optional(refusal),
  },
  "Tool",
);

export const toolCounts = closed(
  { total: count, callable: count, builtin: count, plugin: count, upstream: count, library: count },
  "ToolCounts",
);

export const toolList = closed({ tools: Type.Array(toolEntry), counts: toolCounts }, "ToolList");

export const toolQuery = closed({
  category: Type.Optional(text),
  source: Type.Optional(oneOf(toolSources)),
  callable: Type.Optional(Type.Boolean()),
  mode: Type.Optional(mode),
});

const pluginProblem = closed({
  source: text,
  toolName: Type.Optional(text),
  field: Type.Optional(text),
  line: Type.Optional(count),
  column: Type.Optional(count),
  message: text,
});

export const reloadResult = closed(
  {
    success: Type.Boolean(),
    toolCount: count,
    errors: Type.Array(pluginProblem),
    warnings: Type.Array(pluginProblem),
  },
  "ReloadResult",
);

const name = Type.String({ minLength: 1, maxLength: 200 });

export const callBody = closed(
  {
    input: Type.Optional(
      Type.Record(text, Type.Unknown(), { description: "By the tool's schema. Default: {}." }),
    ),
    sessionId: Type.Optional(name),
    toolUseId: Type.Optional(name),
    turnId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "The model's message that makes the call: after a person's no, its other calls are refused.",
      }),
    ),
    mode: Type.Optional(mode),
  },
  "CallBody",
  [{ input: { path: "README.md" }, sessionId: "release-42" }],
);

const taskEnd = closed(
  {
    kind: oneOf(["cancelled", "rejected"], "`cancelled`: later calls of the session are refused."),
    by: text,
    message: text,
    at: Type.Number(),
  },
  "TaskEnd",
);

/** How a call ended: refused ones have the same shape. */
export const callOutcome = closed(
  {
    ok: Type.Boolean(),
    callId: text,
    tool: text,
    durationMs: Type.Number(),
    result: toolResult,
    contexts: Type.Array(text),
    taskEnd: Type.Optional(taskEnd),
    approval: Type.Optional(approvalRef),
    error: Type.Optional(refusal),
  },
  "CallOutcome",
);

export const explainBody = closed(
  {
    tool: name,
    input: Type.Optional(Type.Record(text, Type.Unknown())),
    sessionId: Type.Optional(name),
    mode: Type.Optional(mode),
    as: Type.Optional(
      oneOf(["call", "check"], "`check`: as for an agent that runs the tool itself. Default: `call`."),
    ),
  },
  "ExplainBody",
  [{ tool: "shell.exec", input: { command: "git push --force" }, as: "call" }],
);

export const explanation = closed(
  {
    verdict: oneOf(["allow", "ask", "deny", "abstain"]),
    tool: text,
    stage: stageName,
    rule: Type.Optional(ruleRef),
    source: Type.Optional(text),
    code: Type.Optional(text),
    message: Type.Optional(text),
    hint: Type.Optional(text),
    walk: Type.Array(closed({ stage: stageName, finding: text, rule: Type.Optional(ruleRef) })),
  },
  "Explanation",
);

export const category = closed(
  {
    id: text,
    name: text,
    description: text,
    enabled: Type.Boolean(),
    ceiling: oneOf(permissions),
    tools: count,
  },
  "Category",
);

export const categoryList = closed(
  {
    categories: Type.Array(category),
    unions: Type.Array(closed({ name: text, members: Type.Array(text) }), {
      description: "Names that stand for several categories; enable and disable take them too.",
    }),
  },
  "CategoryList",
);

export const enableAllBody = closed({ enableAll: Type.Boolean() }, "EnableAllBody", [{ enableAll: false }]);

export const ceilingBody = closed({ ceiling: oneOf(permissions) }, "CeilingBody", [{ ceiling: "write" }]);
