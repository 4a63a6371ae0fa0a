/** What a call of droid needs. No `ownPrompt`: without a person droid runs what it is told to ask about. */
import type { AgentHook, HookInput } from "../agent-hook.ts";
import { readDroidCall } from "./read-call.ts";
import { writeDroidAnswer } from "./write-answer.ts";

export const droidHook: AgentHook = {
  read: readDroidCall,
  write: writeDroidAnswer,
  // The calls of its sub-agents would come with a session and a mode of their own.
  needsToPlan: ({ tool }: HookInput) => tool === "Task",
};
