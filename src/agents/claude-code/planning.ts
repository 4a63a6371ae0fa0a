/** What Claude Code needs to plan, though it is more than reading: sub-agents, the plan's file, our tools. */
import { join, resolve, sep } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { HookInput, ServerPlace } from "../agent-hook.ts";
import { isToolgateServer } from "../mcp-servers/is-toolgate-server.ts";
import { memberOf } from "../read-json-file.ts";
import { findClaudePlaces, readClientState } from "./places.ts";

export function needsToPlan(input: HookInput, place: AgentPlace): boolean {
  return startsSubAgent(input) || writesPlanFile(input, findClaudePlaces(place).configDir);
}

/**
 * Tools that do nothing by themselves but keep the agent's own lists, or watch and end what calls of their own
 * have started; sub-agents make calls of their own, too.
 */
export function isHarmless({ tool, input }: Pick<HookInput, "tool" | "input">): boolean {
  return harmlessTools.has(tool) || startsSubAgent({ tool, input });
}

const harmlessTools: ReadonlySet<string> = new Set([
  ...["TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "TaskOutput", "TaskStop"],
  ...["BashOutput", "KillShell", "ToolSearch", "ExitPlanMode"],
]);

/**
 * The calls of a sub-agent come to the hook with the plan mode of the session, so starting one changes
 * nothing. Other fields may do more: a worktree is written, a machine elsewhere has no hook.
 */
function startsSubAgent({ tool, input }: Pick<HookInput, "tool" | "input">): boolean {
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

const writers = ["Write", "Edit", "MultiEdit"];

/** Only in the client's own folder for plans. A folder that a repository's settings name stays read-only. */
export function writesPlanFile({ tool, input, cwd }: HookInput, claudeFolder: string): boolean {
  const { file_path: file } = input;
  if (!writers.includes(tool) || typeof file !== "string" || !file.endsWith(".md")) return false;
  // Resolved first: `plans/../settings.md` is not a plan.
  return resolve(cwd ?? "/", file).startsWith(join(claudeFolder, "plans") + sep);
}

/** Only of the user's own settings: what a repository brings along may call itself as it likes. */
export function toolOfOwnServer({ tool, server }: HookInput, place: ServerPlace): string | undefined {
  if (server === undefined || (server.source !== "user" && server.source !== "local")) return undefined;
  const prefix = `mcp__${server.name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}__`;
  if (!tool.startsWith(prefix)) return undefined;
  const state = readClientState(place);
  const { projectDir = "" } = findClaudePlaces(place);
  const holder = server.source === "user" ? state : memberOf(memberOf(state, "projects"), projectDir);
  const found = memberOf(memberOf(holder, "mcpServers"), server.name);
  return isToolgateServer(found, place.addressFile) ? tool.slice(prefix.length) : undefined;
}
