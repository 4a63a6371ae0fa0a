/** One tool call of an agent, and what became of the question about it. */
import type { AgentCall } from "../../session-calls.ts";
import { noFacts, type ToolFacts } from "./tool-facts.ts";

export interface TrackedCall {
  facts: ToolFacts;
  state: "unasked" | "asking" | "allowed" | "refused";
  isOver: boolean;
  /** It was asked about so often. */
  questions: number;
  readonly messageId: string;
  /** As it was judged. */
  call: AgentCall | undefined;
  callId: string | undefined;
  startedAt: number;
  late: NodeJS.Timeout | undefined;
  wake: (() => void) | undefined;
}

export function newCall(id: string, messageId: string): TrackedCall {
  return {
    facts: noFacts(id),
    state: "unasked",
    isOver: false,
    questions: 0,
    messageId,
    call: undefined,
    callId: undefined,
    startedAt: performance.now(),
    late: undefined,
    wake: undefined,
  };
}
