/** Puts a question of the gate to the person at the editor, and hands the answer to the gate. */
import type { ApprovalAnswer } from "../../core/call/approval.ts";
import { messageOf } from "../../core/call/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import type { Peer } from "../../mcp/peer.ts";
import type { AcpServerOptions, AcpWorld } from "./acp-options.ts";
import { callFacts } from "./to-updates.ts";

export interface Question {
  readonly approvalId: string;
  readonly sessionId: string;
  readonly world: AcpWorld;
  readonly peer: Peer;
  /** Nobody needs the answer any more. */
  readonly signal: AbortSignal;
}

const options = [
  { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow-session", name: "Allow this for the session", kind: "allow_always" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

export async function askEditor(question: Question, { person, tell }: AcpServerOptions): Promise<void> {
  const { approvalId, sessionId, world, peer, signal } = question;
  const waiting = await world.gate.approvals.pending();
  const request = waiting.find(({ id }) => id === approvalId);
  if (request === undefined) return;
  const { toolId, toolUseId, callId, input, reason } = request;
  const toolCall: JsonObject = {
    toolCallId: toolUseId ?? callId,
    status: "pending",
    ...callFacts(toolId, input),
    content: [{ type: "content", content: { type: "text", text: reason } }],
  };
  let decided: ApprovalAnswer | undefined;
  try {
    const { outcome } = await peer.request("session/request_permission", { sessionId, toolCall, options });
    decided = answerOf(isJsonObject(outcome) ? outcome : {}, person.id);
  } catch (error) {
    // Others may still answer: in the console, with toolgate approvals.
    tell(`The editor could not be asked about ${toolId}: ${messageOf(error)}`);
  }
  if (decided !== undefined && !signal.aborted) await world.gate.approvals.answer(approvalId, decided);
}

/** Undefined: the person has decided nothing. */
function answerOf({ outcome, optionId }: JsonObject, by: string): ApprovalAnswer | undefined {
  if (outcome !== "selected") return undefined;
  if (optionId === "allow-once") return { decision: "approve", by };
  if (optionId === "allow-session") return { decision: "approve", by, scope: "session" };
  return { decision: "deny", by };
}
