/** Questions to people, their answers, and the grants that remain, as they go over the wire. */
import { Type } from "typebox";
import { grantScopes } from "../../../core/call/approval.ts";
import { closed, oneOf, ruleRef, time } from "./shapes.ts";

const text = Type.String();

export const approval = closed(
  {
    id: text,
    callId: text,
    sessionId: Type.Optional(text),
    toolUseId: Type.Optional(text),
    agent: Type.Optional(
      closed({
        name: text,
        version: Type.Optional(text),
        tool: Type.Optional(Type.String({ description: "What the agent itself calls the tool." })),
        subAgent: Type.Optional(closed({ id: Type.Optional(text), type: Type.Optional(text) })),
      }),
    ),
    tool: text,
    title: text,
    description: text,
    caller: Type.String({ description: "Who asks; never the one who may answer." }),
    project: text,
    input: Type.Record(text, Type.Unknown(), { description: "Without secrets." }),
    redactions: Type.Integer({ description: "How many values of the input were taken out." }),
    inputHash: text,
    meaning: closed({
      paths: Type.Array(closed({ path: text, inside: Type.Boolean(), protected: Type.Optional(text) })),
      programs: Type.Array(closed({ name: text, files: Type.Array(text) })),
    }),
    definitionHash: text,
    reason: text,
    rule: Type.Optional(ruleRef),
    createdAt: time,
    expiresAt: time,
    state: text,
    answeredAt: Type.Optional(time),
    answer: Type.Optional(
      closed({
        decision: oneOf(["approve", "deny"]),
        by: text,
        via: Type.Optional(oneOf(["elicitation"])),
        scope: Type.Optional(oneOf(grantScopes)),
        reason: Type.Optional(text),
      }),
    ),
  },
  "Approval",
);

export const approvalList = closed({ approvals: Type.Array(approval) }, "ApprovalList");

export const answerBody = closed(
  {
    decision: oneOf(["approve", "deny"]),
    scope: Type.Optional(oneOf(grantScopes, "How long a yes holds. Default: `once`.")),
    covers: Type.Optional(oneOf(["input", "tool"], "What a lasting yes covers. Default: this very input.")),
    expiresInMs: Type.Optional(Type.Integer({ minimum: 1 })),
    input: Type.Optional(
      Type.Record(text, Type.Unknown(), { description: "Approve this input instead of the one asked for." }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 2_000, description: "Shown to the model on a denial." })),
  },
  "AnswerBody",
  [
    { decision: "approve" },
    { decision: "approve", scope: "session", covers: "tool", expiresInMs: 3_600_000 },
    { decision: "approve", input: { path: "notes.txt", content: "shorter" } },
    { decision: "deny", reason: "Not before the release." },
  ],
);

export const answered = closed({ id: text, decision: oneOf(["approve", "deny"]), by: text }, "Answered");

export const grant = closed(
  {
    id: text,
    scope: oneOf(["session", "project", "user"]),
    caller: text,
    sessionId: Type.Optional(text),
    project: Type.Optional(text),
    tool: text,
    definitionHash: text,
    inputHash: Type.Optional(Type.String({ description: "Absent: any input of the tool." })),
    by: text,
    createdAt: time,
    expiresAt: Type.Optional(time),
  },
  "Grant",
);

export const grantList = closed({ grants: Type.Array(grant) }, "GrantList");
export const revoked = closed({ id: text, revoked: Type.Literal(true) }, "Revoked");
