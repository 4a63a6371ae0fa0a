/** Reads what Grok sends: its own fields in camelCase. It sends those of Claude Code beside them. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { HookEvent, HookInput, ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText, noCall } from "../hook-fields.ts";
import { plainName } from "../mcp-tool-name.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";
import { writeGrok } from "./answer.ts";

const form = 'Grok sends {"hookEventName": "pre_tool_use", "toolName": "...", "toolInput": {...}}.';

const events = new Map<Json | undefined, HookEvent>([
  ["pre_tool_use", "PreToolUse"],
  ["post_tool_use", "PostToolUse"],
  ["post_tool_use_failure", "PostToolUseFailure"],
  ["user_prompt_submit", "UserPromptSubmit"],
]);

export function readGrok(text: string): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { value } = read;
  const event = events.get(value.hookEventName);
  if (event === undefined)
    return refuse(
      `The event ${shorten(JSON.stringify(value.hookEventName ?? null))} is not one that toolgate answers. ${form}`,
    );
  const context = contextOf(value);
  if (event === "UserPromptSubmit") return { ok: true, input: newTask(event, context) };
  const { toolName, toolInput = null, toolInputTruncated } = value;
  if (!isText(toolName)) return refuse(`The call names no tool: "toolName" must be text. ${form}`);
  const isWhole = isJsonObject(toolInput) && toolInputTruncated !== true;
  if (!isWhole && event === "PreToolUse")
    return refuse(
      toolInputTruncated === true
        ? `Grok shows only the beginning of this long call of ${shorten(toolName)}, and nobody can judge the rest. Make it in several shorter steps.`
        : `The input of ${shorten(toolName)} is missing: "toolInput" must be a JSON object. ${form}`,
    );
  const called = nameCall(toolName, isWhole ? toolInput : {});
  if (called === undefined)
    return refuse(
      `${shorten(toolName)} is a tool of an MCP server, and what it is given is not where it should be, so no rule could look at it. Give use_tool the same "tool_name", and a JSON object as "tool_input".`,
    );
  const { speaker, ...named } = called;
  return {
    ok: true,
    input: { event, ...named, ...context, ...resultOf(value) },
    ...(speaker !== undefined && { speaker }),
  };
}

/**
 * A tool of an MCP server comes as `server__tool`, whose input lies in another one, that of Grok's `use_tool`.
 * A changed input goes back in there; Grok refuses one that names another tool. Undefined: a rule that looks at a
 * field would miss it.
 */
function nameCall(toolName: string, input: JsonObject): NamedCall | undefined {
  const { tool_name: target, tool_input: inner = null } = input;
  // A call that Grok passes on is that of its target.
  if (toolName === passesOn)
    return isText(target) && target.includes("__") ? nameCall(target, input) : undefined;
  if (!toolName.includes("__")) return { tool: toolName, input };
  const named = { tool: `mcp__${plainName(toolName)}`, agentTool: toolName };
  // Without Grok's own fields it is the tool's input itself.
  if (!Object.hasOwn(input, "tool_name") && !Object.hasOwn(input, "tool_input")) return { ...named, input };
  if (target !== toolName || !isJsonObject(inner)) return undefined;
  return {
    ...named,
    input: inner,
    speaker: {
      name: "grok",
      write(event, decision, asked) {
        const { input: changed } = decision;
        if (changed === undefined) return writeGrok(event, decision, asked);
        return writeGrok(event, { ...decision, input: { ...input, tool_input: changed } }, input);
      },
    },
  };
}

type NamedCall = Pick<HookInput, "tool" | "input" | "agentTool"> &
  Pick<ReadHookInput & { ok: true }, "speaker">;

/** Grok's tool that calls those of MCP servers. */
const passesOn = "use_tool";

function newTask(event: HookEvent, { sessionId, ...context }: Context): HookInput {
  // What a sub-agent is told to do is no person's word: without a session no new task begins.
  const isPerson = sessionId !== undefined && context.agentType === undefined;
  return { event, tool: noCall, input: {}, ...context, ...(isPerson && { sessionId }) };
}

type Context = Omit<HookInput, "event" | "tool" | "input">;

function contextOf(value: JsonObject): Context {
  const { sessionId, toolUseId, cwd, permissionMode, subagentType } = value;
  return {
    mode: permissionMode === "plan" ? "plan" : "act",
    ...(isText(permissionMode) && { permissionMode }),
    ...(isText(sessionId) && { sessionId }),
    ...(isText(toolUseId) && { toolUseId }),
    ...(isText(cwd) && isAbsolute(cwd) && { cwd }),
    // A sub-agent has a session of its own, and no other name.
    ...(isText(subagentType) && {
      agentType: subagentType,
      ...(isText(sessionId) && { agentId: sessionId }),
    }),
  };
}

function resultOf({ toolResult, error, durationMs }: JsonObject): Partial<HookInput> {
  return {
    ...(toolResult !== undefined && { response: readable(toolResult) }),
    ...(isText(error) && { error }),
    ...(typeof durationMs === "number" && { durationMs }),
  };
}

/** Of a command Grok sends each byte as a number, beside the text that the model reads. */
function readable(result: Json): Json {
  if (!isJsonObject(result) || !isText(result.output_for_prompt)) return result;
  const { output: _, ...rest } = result;
  return rest;
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
