/** Where Claude Code asks its own person: each mode as measured with 2.1.325, at a terminal and without one. */
import type { AgentPlace } from "../agent.ts";
import type { HookInput, OwnPrompt } from "../agent-hook.ts";

/** At a terminal an `ask` shows the prompt with our reason; without one (`-p`) it is refused, as told. */
const asksIn: ReadonlySet<string> = new Set([
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "auto",
  "bypassPermissions",
]);

/** What holds a variable, a substitution or code is asked about, unless the person's own rules allow it. */
const isOnIn: ReadonlySet<string> = new Set(["default", "acceptEdits"]);

export function ownPrompt(input: HookInput, { env }: AgentPlace): OwnPrompt {
  const { permissionMode = "" } = input;
  const asks = asksIn.has(permissionMode) && isClaudeCode(input, env.CLAUDE_CODE_SESSION_ID);
  const isAttended = env.CLAUDE_CODE_SESSION_ATTENDED !== "0";
  return { asks, isOn: asks && isAttended && isOnIn.has(permissionMode) };
}

/**
 * Others read the same settings, and some run a call that they were told to ask about. Claude Code puts the id
 * of its session into the hook's environment, where no settings change it. A hook over HTTP, and one of an
 * older version, has no such variable: then all that was sent must be what Claude Code sends, and nothing else.
 */
function isClaudeCode({ sessionId, isForeign }: HookInput, id: string | undefined): boolean {
  if (sessionId === undefined) return false;
  return id === undefined ? isForeign !== true : id === sessionId;
}
