/** What a call of Claude Code needs. Its own prompt is not used: without a terminal (`-p`) nobody sees it. */
import type { AgentHook } from "../agent-hook.ts";
import { readHookInput } from "../read-hook-input.ts";
import { needsToPlan, toolOfOwnServer } from "./planning.ts";
import { writeAnswer } from "./write-answer.ts";

export const hook: AgentHook = { read: readHookInput, write: writeAnswer, needsToPlan, toolOfOwnServer };
