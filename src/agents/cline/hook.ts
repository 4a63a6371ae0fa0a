/** What a call of Cline needs. */
import type { AgentHook } from "../agent-hook.ts";
import { readClineCall } from "./read-call.ts";
import { writeClineAnswer } from "./write-answer.ts";

export const clineHook: AgentHook = { read: readClineCall, write: writeClineAnswer };
