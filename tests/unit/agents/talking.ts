/** An agent's hook as a test talks to it: what it takes for a call, and what it answers. */
import type { AgentPlace } from "../../../src/agents/agent.ts";
import type {
  AgentDecision,
  AgentHook,
  HookAnswer,
  HookEvent,
  HookInput,
  ReadHookInput,
} from "../../../src/agents/agent-hook.ts";

/** A place in which an agent has no files. */
export const nobody: AgentPlace = { home: "/nobody", env: {}, projectDir: undefined };

/** `call`: text as it is, anything else as JSON. */
export function talkingTo(hook: Pick<AgentHook, "read" | "write">, place = nobody) {
  const read = (call: unknown, here = place) =>
    hook.read(typeof call === "string" ? call : JSON.stringify(call), here);
  return {
    read,
    taken: (call: unknown, here = place): HookInput => whole(read(call, here)).input,
    /** Empty: it was not refused. */
    refusal(call: unknown, here = place): string {
      const end = read(call, here);
      return end.ok ? "" : end.message;
    },
    /** To a call that was read, by whoever answers it; else to one of which only the input matters. */
    answer(decision: Partial<AgentDecision>, to: object = {}, event: HookEvent = "PreToolUse"): HookAnswer {
      const whole = { verdict: "abstain", contexts: [], warnings: [], ...decision } as const;
      return hook.write(event, whole, { ...to });
    },
  };
}

export function whole(read: ReadHookInput): ReadHookInput & { ok: true } {
  if (!read.ok) throw new Error(read.message);
  return read;
}

export const silence: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

/** One line of JSON on standard output. */
export const says = (said: object): HookAnswer => ({ ...silence, stdout: `${JSON.stringify(said)}\n` });

/** The same, where the agent would else run what it asked for. */
export const rewrites = (said: object): HookAnswer => ({ ...says(said), mustArrive: true });

/** Denied by the exit code and by the text on standard error, and once more in the agent's own form. */
export const denies = (text: string, said: object): HookAnswer => ({
  ...says(said),
  stderr: `${text}\n`,
  exitCode: 2,
});

/** Claude Code's form, which many others have taken over. */
export const beforeCall = (said: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...said },
});
export const denial = (reason: string) =>
  beforeCall({ permissionDecision: "deny", permissionDecisionReason: reason });
export const afterCall = (additionalContext: string, hookEventName = "PostToolUse") => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
