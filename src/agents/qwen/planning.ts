/** What Qwen Code needs to plan, though it is more than reading: its sub-agents. */
import type { HookInput } from "../agent-hook.ts";

/** Their calls come to the hook with the plan mode of the session, so starting one changes nothing. */
export function needsToPlan({ tool, input }: HookInput): boolean {
  return tool === "agent" && Object.keys(input).every((key) => harmlessFields.has(key));
}

/** Other fields may do more: a worktree is written, a name makes it one of a team that outlives the call. */
const harmlessFields: ReadonlySet<string> = new Set(["description", "prompt", "subagent_type"]);
