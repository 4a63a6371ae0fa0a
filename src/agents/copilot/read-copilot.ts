/** Reads a call in Copilot's own form. It names no event: what the call holds says which one it is. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { AgentPlace } from "../agent.ts";
import type { AgentHook, HookEvent, HookInput, ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText, noCall } from "../hook-fields.ts";
import { shorten } from "../read-json-call.ts";
import { nameMcpTool } from "./mcp-tool.ts";
import { writeCopilot } from "./write-answer.ts";

export const form = 'Copilot sends {"toolName": "bash", "toolArgs": {"command": "..."}}.';

export function readCopilotCall(value: JsonObject, place: AgentPlace): ReadHookInput {
  const { toolName, toolArgs, prompt } = value;
  const context = contextOf(value);
  if (toolName === undefined && prompt !== undefined) return { ok: true, input: newTask(context) };
  if (!isText(toolName)) return refuse(`The call names no tool: "toolName" must be text. ${form}`);
  const args = argsOf(toolArgs);
  // A call whose input is missing or of another shape would pass every rule that looks at a field.
  if (args === undefined)
    return refuse(`The input of ${shorten(toolName)} is missing: "toolArgs" must be a JSON object. ${form}`);
  const named = nameMcpTool(toolName, { ...place, cwd: context.cwd });
  if (!named.ok) return named;
  return {
    ok: true,
    input: { ...named.named, input: args.input, ...context, ...resultOf(value) },
    ...(args.isText && { speaker: { name: "copilot", write: writeForText } }),
  };
}

/** Of some models the tool that patches files takes plain text; older versions send all arguments as text. */
function argsOf(value: Json = null): { input: JsonObject; isText: boolean } | undefined {
  if (typeof value !== "string") return isJsonObject(value) ? { input: value, isText: false } : undefined;
  try {
    const parsed = JSON.parse(value) as Json;
    if (isJsonObject(parsed)) return { input: parsed, isText: true };
  } catch {
    // It is the input itself.
  }
  return { input: { input: value }, isText: true };
}

/** Nobody knows in which form a changed input would have to come back: it is denied, with what to run instead. */
const writeForText: AgentHook["write"] = (event, decision, asked) =>
  writeCopilot(event, decision, asked, { withoutRewrite: true });

function newTask({ sessionId, ...context }: Context): HookInput {
  // What a sub-agent is told to do is no person's word: without a session no new task begins.
  const isPerson = sessionId !== undefined && context.agentId === undefined;
  return { event: "UserPromptSubmit", tool: noCall, input: {}, ...context, ...(isPerson && { sessionId }) };
}

type Context = Omit<HookInput, "event" | "tool" | "input">;

function contextOf({ sessionId, cwd, agentId, agentType, parentAgentId }: JsonObject): Context {
  // A sub-agent has a session of its own: what ended the session that started it must hold for it, too.
  const session = isText(parentAgentId) ? parentAgentId : sessionId;
  return {
    mode: "act",
    ...(isText(session) && { sessionId: session }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    ...(isText(agentId) && { agentId }),
    ...(isText(agentType) && { agentType }),
  };
}

function resultOf({ toolResult, error }: JsonObject): Pick<HookInput, "event" | "response" | "error"> {
  if (error !== undefined)
    return { event: "PostToolUseFailure", error: isText(error) ? error : JSON.stringify(error) };
  if (toolResult === undefined) return { event: "PreToolUse" };
  const { resultType, textResultForLlm: said } = isJsonObject(toolResult) ? toolResult : {};
  const event: HookEvent =
    resultType === undefined || resultType === "success" ? "PostToolUse" : "PostToolUseFailure";
  return {
    event,
    response: toolResult,
    ...(event === "PostToolUseFailure" && { error: isText(said) ? said : "The tool failed." }),
  };
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
