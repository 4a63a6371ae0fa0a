/** What a call of Qwen Code needs. */
import type { AgentHook } from "../agent-hook.ts";
import { readCall } from "./read-call.ts";
import { writeAnswer } from "./write-answer.ts";

export const qwenHook: AgentHook = { read: readCall, write: writeAnswer };
