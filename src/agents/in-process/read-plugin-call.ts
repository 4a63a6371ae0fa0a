/** Reads the form in which our own plugins send a call. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { type HookEvent, type HookInput, hookEvents, type ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText } from "../hook-fields.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";

/** What a plugin sends; it leaves out what the agent does not say. */
export interface PluginCall {
  readonly event: HookEvent;
  readonly tool?: string;
  readonly input?: unknown;
  readonly session?: string | undefined;
  readonly call?: string | undefined;
  readonly cwd?: string | undefined;
  readonly version?: string | undefined;
  /** A sub-agent makes the call: which one, and what it is. */
  readonly agent?: string | undefined;
  readonly agentType?: string | undefined;
  /** The names of the MCP servers that the agent has. */
  readonly servers?: readonly string[] | undefined;
  readonly response?: unknown;
  readonly error?: string | undefined;
}

const form = 'Send {"event": "PreToolUse", "tool": "bash", "input": {"command": "..."}}.';

/** What the agent calls a tool, as rules know it; a text of its own instead: why that cannot be said. */
export type NameTool = (
  tool: string,
  servers: readonly string[] | undefined,
) => { readonly tool: string } | { readonly problem: string };

export function readPluginCall(text: string, nameTool: NameTool = (tool) => ({ tool })): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { event, tool: agentTool, input, servers } = read.value;
  if (!isHookEvent(event)) return refuse(`The event ${shorten(JSON.stringify(event ?? null))} is not known.`);
  const about = contextOf(read.value);
  if (event === "UserPromptSubmit") return { ok: true, input: { event, tool: noCall, input: {}, ...about } };
  if (!isText(agentTool)) return refuse(`The call names no tool: "tool" must be text. ${form}`);
  // A call whose input is missing or of another shape would pass every rule that looks at a field.
  if (input === undefined || !isJsonObject(input))
    return refuse(`The input of ${shorten(agentTool)} is missing: "input" must be a JSON object. ${form}`);
  const known = Array.isArray(servers) ? servers.filter(isText) : undefined;
  const named = nameTool(agentTool, known);
  if ("problem" in named) return refuse(named.problem);
  const { tool } = named;
  return { ok: true, input: { event, tool, ...(tool !== agentTool && { agentTool }), input, ...about } };
}

/** Stands for the tool of an event that is no call. */
const noCall = "(a new task)";

function contextOf(value: JsonObject): Omit<HookInput, "event" | "tool" | "input"> {
  const { session, call, cwd, version, agent, agentType, response, error } = value;
  return {
    mode: "act",
    ...(isText(session) && { sessionId: session }),
    ...(isText(call) && { toolUseId: call }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    ...(isText(version) && { agentVersion: version }),
    ...(isText(agent) && { agentId: agent }),
    ...(isText(agentType) && { agentType }),
    ...(response !== undefined && { response }),
    ...(isText(error) && { error }),
  };
}

function isHookEvent(value: Json | undefined): value is HookEvent {
  return value !== undefined && (hookEvents as readonly Json[]).includes(value);
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
