/** What a call of Gemini CLI needs. Its `ask` waits for ever where nobody sits there, so nothing is left to it. */
import type { AgentHook } from "../agent-hook.ts";
import { readCall } from "./read-call.ts";
import { writeAnswer } from "./write-answer.ts";

export const geminiHook: AgentHook = { read: readCall, write: writeAnswer };
