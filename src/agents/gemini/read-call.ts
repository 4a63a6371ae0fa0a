/** Reads what Gemini CLI sends before a call, after it, and when a person gives it something to do. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { HookEvent, ReadHookInput } from "../agent-hook.ts";
import { mcpName } from "../mcp-tool-name.ts";
import { readHookCall } from "../read-hook-input.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";
import { explainDoubtfulPath } from "./doubtful-path.ts";
import { urlsInText } from "./urls-in-text.ts";

const form =
  'Send {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "..."}}.';

const events: ReadonlyMap<Json, HookEvent> = new Map([
  ["BeforeTool", "PreToolUse"],
  ["AfterTool", "PostToolUse"],
  // Once for each thing that a person says, not for what sub-agents are told.
  ["BeforeAgent", "UserPromptSubmit"],
]);

export function readCall(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const {
    hook_event_name: said = "BeforeTool",
    tool_name: name,
    tool_response: response,
    ...rest
  } = read.value;
  const event = events.get(said);
  if (event === undefined)
    return refuse(
      `The event ${shorten(JSON.stringify(said))} is not one that toolgate answers: ${[...events.keys()].join(", ")}.`,
    );
  // It has no id for a call; whatever stands there is not the model's.
  const { tool_use_id: _, mcp_context: server, ...call } = rest;
  const taken = readHookCall({
    ...call,
    ...(name !== undefined && { tool_name: name }),
    hook_event_name: event,
    ...(event === "PostToolUse" && resultOf(response)),
  });
  if (!taken.ok || event === "UserPromptSubmit") return taken;
  const tool = nameOf(taken.input.tool, server);
  if (tool === undefined)
    return refuse(
      `${shorten(taken.input.tool)} is a tool of an MCP server, and the call does not say of which one ("mcp_context"), so nobody knows which rules hold.`,
    );
  const doubt = explainDoubtfulPath(taken.input.tool, taken.input.input, taken.input.cwd ?? "/");
  if (doubt !== undefined && event === "PreToolUse") return { ok: false, message: doubt, input: taken.input };
  const input = withUrls(taken.input.tool, taken.input.input);
  if (input === undefined)
    return refuse("The input of web_fetch has a field urls, which that tool does not have.");
  return { ok: true, input: { ...taken.input, ...tool, input } };
}

/** The name alone does not say where the server's ends and the tool's begins. Undefined: it is not known. */
function nameOf(
  name: string,
  context: Json | undefined,
): { readonly tool: string; readonly agentTool?: string } | undefined {
  const { server_name: server, tool_name: tool } = isJsonObject(context ?? null)
    ? (context as JsonObject)
    : {};
  if (typeof server === "string" && typeof tool === "string" && server !== "" && tool !== "")
    return { tool: mcpName(server, tool), agentTool: name };
  return name.startsWith("mcp_") || context !== undefined ? undefined : { tool: name };
}

/** Its fetching tool takes prose with addresses in it. Undefined: what the rules would read is not clear. */
function withUrls(tool: string, input: JsonObject): JsonObject | undefined {
  if (tool !== "web_fetch" || typeof input.prompt !== "string") return input;
  return Object.hasOwn(input, "urls") ? undefined : { ...input, urls: urlsInText(input.prompt) };
}

/** In the form of the others: a failed call is an event of its own. */
function resultOf(response: Json | undefined): JsonObject {
  if (response === undefined) return {};
  const { llmContent = response, error } = isJsonObject(response) ? response : {};
  if (error === undefined || error === null) return { tool_response: llmContent };
  const message =
    isJsonObject(error) && typeof error.message === "string" ? error.message : JSON.stringify(error);
  return { hook_event_name: "PostToolUseFailure", tool_response: llmContent, error: message };
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
