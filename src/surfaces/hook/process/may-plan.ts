/** Which calls an agent may make in plan mode although they do more than read: it needs them to plan. */
import type { HookAgent, HookInput, ServerPlace } from "../../../agents/agent-hook.ts";
import { findKnownTool } from "../../../core/tool/known-tools.ts";

export function mayPlan(agent: HookAgent, input: HookInput, place: ServerPlace): boolean {
  if (input.mode !== "plan") return false;
  return agent.needsToPlan?.(input, place) === true || onlyReads(agent.toolOfOwnServer?.(input, place) ?? "");
}

/**
 * The gate behind our own server decides about the call once more. Tools that pass calls on, change modes or
 * load instructions are called reading, too, and are not meant.
 */
function onlyReads(name: string): boolean {
  const known = findKnownTool(name);
  if (known === undefined) return false;
  const { id, permission, capabilities } = known;
  if (id === "tools.search" || id === "tools.describe") return true;
  return (
    permission === "read" &&
    capabilities.length > 0 &&
    capabilities.every((capability) => readingCapabilities.has(capability))
  );
}

const readingCapabilities: ReadonlySet<string> = new Set(["fs:read", "net:fetch", "support:read"]);
