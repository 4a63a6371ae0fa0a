/** The shapes that several answers share. A title names the shape in the API's description. */
import { type TProperties, Type } from "typebox";
import { errorCodes, stages } from "../../../core/call/errors.ts";

/** An object with these fields and no others: what is misspelt in a request is refused. */
export function closed<Properties extends TProperties>(
  properties: Properties,
  title?: string,
  examples?: readonly object[],
) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title !== undefined && { title }),
    ...(examples !== undefined && { examples }),
  });
}

/** One of these texts. */
export function oneOf<const Values extends readonly string[]>(values: Values, description?: string) {
  return Type.Unsafe<Values[number]>({
    type: "string",
    enum: [...values],
    ...(description !== undefined && { description }),
  });
}

export const time = Type.Number({ description: "Milliseconds since the epoch." });
const text = Type.String();

export const ruleSource = closed(
  { file: text, line: Type.Optional(Type.Integer()), column: Type.Optional(Type.Integer()) },
  "RuleSource",
);

export const ruleRef = closed(
  {
    kind: oneOf(["route", "policy", "limit", "hook", "grant", "default"]),
    name: text,
    tier: Type.Optional(text),
    source: Type.Optional(ruleSource),
  },
  "RuleRef",
);

export const issue = closed({ path: text, expected: text, received: text, message: text }, "Issue");

export const approvalRef = closed(
  { kind: oneOf(["approval", "grant"]), id: text, by: text, via: Type.Optional(oneOf(["elicitation"])) },
  "ApprovalRef",
);

const stage = oneOf(stages);

/** Why a call ended without success. */
export const refusal = closed(
  {
    code: oneOf(Object.keys(errorCodes) as (keyof typeof errorCodes)[], "See docs/errors.md."),
    stage,
    message: text,
    hint: text,
    rule: Type.Optional(ruleRef),
    retryAfterMs: Type.Optional(Type.Number()),
    issues: Type.Optional(Type.Array(issue)),
    approval: Type.Optional(approvalRef),
  },
  "Refusal",
);

/** application/problem+json (RFC 9457). */
export const problemBody = Type.Object(
  {
    type: text,
    title: text,
    status: Type.Integer(),
    detail: text,
    code: text,
    stage: Type.Optional(stage),
    hint: Type.Optional(text),
    rule: Type.Optional(ruleRef),
    retryAfterMs: Type.Optional(Type.Number()),
    issues: Type.Optional(Type.Array(issue)),
    holder: Type.Optional(Type.String({ description: "The session that holds the folder." })),
  },
  { title: "Problem" },
);

export const toolResult = closed(
  {
    content: Type.Array(Type.Object({ type: text }, { description: "MCP content: text, image, ..." })),
    structured: Type.Optional(Type.Unknown()),
    isError: Type.Boolean(),
  },
  "ToolResult",
);

export const mode = oneOf(["act", "plan"], "`plan` allows reading only.");
export const stageName = stage;
