/** What a call of Codex needs. */
import type { AgentHook } from "../agent-hook.ts";
import { readCall } from "./read-call.ts";
import { writeAnswer } from "./write-answer.ts";

export const codexHook: AgentHook = { read: readCall, write: writeAnswer };
