/**
 * What Claude Code itself needs to make a plan, although to anybody who does not know it the call is more than reading: its sub-agents, the
 * file of the plan, and the reading tools of our own server. Without them plan mode could not plan.
 */
import { findKnownTool, type KnownTool } from "../../core/tool/known-tools.ts";
import { isOwnServer } from "./own-server.ts";
import type { ClaudePlaces } from "./places.ts";
import { writesPlanFile } from "./plan-file.ts";
import type { HookInput } from "./read-hook-input.ts";

export interface PlanningPlaces extends Pick<ClaudePlaces, "configDir" | "projectDir"> {
  /** Where the client keeps which servers it has. */
  readonly serversFile: string;
  /** Where a running toolgate says how it is reached. */
  readonly addressFile: string;
}

export function isPlanning(input: HookInput, places: () => PlanningPlaces): boolean {
  if (input.mode !== "plan") return false;
  return (
    startsSubAgent(input) || readsByOwnServer(input, places) || writesPlanFile(input, places().configDir)
  );
}

/**
 * Its calls come to the hook with the plan mode of the session, whatever the sub-agent's own file says about permissions (seen with
 * 2.1.325), so starting it changes nothing. What else it could be told is not known to be so: a worktree is written, a machine elsewhere has no hook.
 */
function startsSubAgent({ tool, input }: HookInput): boolean {
  return (tool === "Agent" || tool === "Task") && Object.keys(input).every((key) => harmlessFields.has(key));
}

const harmlessFields: ReadonlySet<string> = new Set([
  "description",
  "prompt",
  "subagent_type",
  "model",
  "effort",
  "run_in_background",
]);

/** The gate behind that server decides about the call once more. */
function readsByOwnServer({ tool, server }: HookInput, places: () => PlanningPlaces): boolean {
  if (server === undefined) return false;
  const prefix = `mcp__${server.name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}__`;
  const known = tool.startsWith(prefix) ? findKnownTool(tool.slice(prefix.length)) : undefined;
  return known !== undefined && onlyReads(known) && isOwnServer(server, places());
}

/** Tools that pass calls on, change modes or load instructions are called reading, too, and are not meant. */
function onlyReads({ id, permission, capabilities }: KnownTool): boolean {
  if (id === "tools.search" || id === "tools.describe") return true;
  return (
    permission === "read" &&
    capabilities.length > 0 &&
    capabilities.every((capability) => readingCapabilities.has(capability))
  );
}

const readingCapabilities: ReadonlySet<string> = new Set(["fs:read", "net:fetch", "support:read"]);
