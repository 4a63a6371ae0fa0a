/**
 * What Copilot CLI is answered where it started an entry of Claude Code's settings: it takes that form, and shows
 * nothing after a call. Of a denial it reads the reason beside exit code 2 only in its own, flat form.
 */
import type { AgentHook } from "../agent-hook.ts";
import { writeClaudeForm } from "../claude-form.ts";
import { writeCopilot } from "./write-answer.ts";

const write = writeClaudeForm({ allow: true, rewrite: true, contextBefore: true });

export const writeSecondForm: AgentHook["write"] = (event, decision, asked) => {
  const isDenial = decision.verdict !== "allow" && decision.verdict !== "abstain";
  return event === "PreToolUse" && isDenial
    ? writeCopilot(event, decision, asked)
    : write(event, decision, asked);
};
