/** What happens in a session as it goes over the wire: the items of its log, and what is said between them. */
import { type TProperties, Type } from "typebox";
import { sessionItemKinds } from "../../../core/ports/sessions.ts";
import { closed, oneOf, time } from "./shapes.ts";

const text = Type.String();
export const cursor = Type.String({ maxLength: 100, description: "The `id` of an item or event." });

const itemPlace = {
  sessionId: text,
  seq: Type.Integer({ description: "From 1, without gaps." }),
  turn: Type.Integer(),
  itemId: Type.String({ description: "Joins a message with its `message-delta` events." }),
  at: time,
};
const item = <More extends TProperties>(more: More, title: string) =>
  Type.Object({ ...itemPlace, ...more }, { title });
const said = Type.Array(Type.Object({ type: text, text: Type.Optional(text) }));

/** What each item of the log says, by kind. A later version may add fields. */
export const sessionItemData = {
  message: item(
    {
      role: oneOf(["user", "assistant", "note"]),
      text,
      by: Type.Optional(Type.String({ description: "Who sent it, of a user's message." })),
    },
    "SessionMessage",
  ),
  tool_use: item({ tool: text, toolUseId: text, input: Type.Unknown() }, "SessionToolUse"),
  tool_result: item(
    {
      tool: text,
      toolUseId: text,
      ok: Type.Boolean(),
      callId: Type.Optional(text),
      code: Type.Optional(text),
      content: said,
    },
    "SessionToolResult",
  ),
  approval: item(
    {
      id: Type.String({ description: "For `POST /api/approvals/:id/answer`." }),
      state: oneOf(["asked", "approved", "denied", "expired", "withdrawn"]),
      callId: text,
      tool: text,
      toolUseId: Type.Optional(text),
      reason: Type.Optional(text),
      by: Type.Optional(text),
      scope: Type.Optional(text),
      createdAt: Type.Optional(time),
      expiresAt: Type.Optional(time),
      rule: Type.Optional(Type.Object({ kind: text, name: text })),
    },
    "SessionApproval",
  ),
  usage: item({ inputTokens: Type.Number(), outputTokens: Type.Number() }, "SessionUsage"),
  error: item({ code: text, message: text, retryable: Type.Boolean() }, "SessionError"),
  completed: item({ stopReason: text, message: Type.Optional(text) }, "SessionCompleted"),
  cancelled: item({ by: text, what: oneOf(["session", "turn"]) }, "SessionCancelled"),
} as const;

export const sessionItem = closed(
  {
    id: cursor,
    kind: oneOf(sessionItemKinds),
    data: Type.Object(itemPlace, { description: "By kind: SessionMessage, SessionToolUse, ..." }),
  },
  "SessionItem",
);

export const delta = closed(
  {
    sessionId: text,
    itemId: text,
    turn: Type.Integer(),
    offset: Type.Integer({ description: "How much of the message came before, in UTF-16 units." }),
    text,
  },
  "SessionMessageDelta",
);

export const sessionReset = closed({ sessionId: text, reason: oneOf(["unknown_cursor"]) }, "SessionReset");
