/** What a call of Claude Code needs. */
import type { AgentHook } from "../agent-hook.ts";
import { readHookInput } from "../read-hook-input.ts";
import { ownPrompt } from "./own-prompt.ts";
import { needsToPlan, toolOfOwnServer } from "./planning.ts";
import { writeAnswer } from "./write-answer.ts";

export const hook: AgentHook = {
  read: readHookInput,
  write: writeAnswer,
  ownPrompt,
  needsToPlan,
  toolOfOwnServer,
};
