/**
 * What a call of Qoder needs, by its documentation (docs.qoder.com/cli/hooks and /extensions/hooks, as of September
 * 2026): it sends Claude Code's form, and exit code 2 with a text on standard error stops a call, in its command as
 * well as in its editors. Whatever else its command takes is not known of the editors, so nothing else is used.
 */
import type { AgentHook } from "../agent-hook.ts";
import { writeClaudeForm } from "../claude-form.ts";
import { readHookInput } from "../read-hook-input.ts";

export const qoderHook: AgentHook = { read: readHookInput, write: writeClaudeForm({}) };
