/** The events that `GET /api/events` sends, by kind. */
import { Type } from "typebox";
import { grantScopes } from "../../../core/call/approval.ts";
import { closed, oneOf, ruleRef, stageName, time } from "./shapes.ts";

const text = Type.String();
const sessionId = Type.Optional(text);
const verdicts = ["allow", "ask", "deny", "abstain"] as const;
const progress = {
  message: Type.Optional(text),
  done: Type.Optional(Type.Number()),
  total: Type.Optional(Type.Number()),
};

export const eventData = {
  ready: closed({ id: text }, "ReadyEvent"),
  reset: closed({ reason: oneOf(["restarted", "too_old"]), lastEventId: text, id: text }, "ResetEvent"),
  "call-start": closed({ callId: text, tool: text, caller: text, sessionId }, "CallStartEvent"),
  "call-progress": closed(
    { callId: text, tool: text, caller: Type.Optional(text), sessionId, ...progress },
    "CallProgressEvent",
  ),
  "call-end": closed(
    {
      callId: text,
      tool: text,
      ok: Type.Boolean(),
      durationMs: Type.Number(),
      caller: Type.Optional(text),
      sessionId,
      verdict: Type.Optional(oneOf(verdicts)),
      surface: Type.Optional(
        Type.String({ description: "Set for calls that another process ran or judged." }),
      ),
      agent: Type.Optional(text),
      code: Type.Optional(text),
      stage: Type.Optional(stageName),
      message: Type.Optional(text),
      rule: Type.Optional(ruleRef),
    },
    "CallEndEvent",
  ),
  "approval-request": closed(
    {
      id: text,
      callId: text,
      sessionId,
      tool: text,
      title: text,
      caller: text,
      reason: text,
      rule: Type.Optional(ruleRef),
      createdAt: time,
      expiresAt: time,
    },
    "ApprovalRequestEvent",
  ),
  "approval-answer": closed(
    {
      id: text,
      callId: text,
      tool: text,
      sessionId,
      state: oneOf(["approved", "denied", "expired", "withdrawn", "gone"]),
      by: Type.Optional(text),
      scope: Type.Optional(oneOf(grantScopes)),
      reason: Type.Optional(text),
    },
    "ApprovalAnswerEvent",
  ),
  summary: closed(
    {
      fromMs: time,
      toMs: time,
      left: Type.Integer({ minimum: 1, description: "How many calls are not in the stream." }),
      ok: Type.Integer({ minimum: 0 }),
      tools: Type.Array(closed({ tool: text, count: Type.Integer({ minimum: 1 }) }), {
        description: "The most frequent first, at most 20.",
      }),
      p50Ms: Type.Optional(Type.Number()),
      p95Ms: Type.Optional(Type.Number()),
    },
    "SummaryEvent",
  ),
  "task-cancel": closed({ hook: text, message: text, sessionId }, "TaskCancelEvent"),
  "tools-change": closed({ count: Type.Integer() }, "ToolsChangeEvent"),
  "rules-change": closed({ version: Type.Integer() }, "RulesChangeEvent"),
} as const;

export type EventKind = keyof typeof eventData;

/** What cannot be chosen: where the stream stands, and what was left out of it. */
type OwnKind = "ready" | "reset" | "summary";

const ownKinds: readonly string[] = ["ready", "reset", "summary"] satisfies OwnKind[];

export const eventKinds = (Object.keys(eventData) as EventKind[]).filter(
  (kind): kind is Exclude<EventKind, OwnKind> => !ownKinds.includes(kind),
);

export const eventQuery = closed({
  kinds: Type.Optional(Type.Array(oneOf(eventKinds), { description: "Only these; by default all." })),
  session: Type.Optional(Type.String({ maxLength: 200, description: "Only events of this session." })),
  tool: Type.Optional(
    Type.String({ maxLength: 200, description: "Only calls of this tool; `*` stands for any text." }),
  ),
  caller: Type.Optional(Type.String({ maxLength: 200, description: "Only calls of this caller." })),
  verdict: Type.Optional(oneOf(verdicts, "Only ends of calls that were decided so.")),
  rate: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description:
        "At most so many events of calls a second. Refusals, failures and questions always come; `summary` counts what was left out.",
    }),
  ),
});
