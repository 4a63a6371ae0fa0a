/** Reads what Crush sends. */
import { isJsonObject } from "../../core/input/json.ts";
import type { AgentPlace } from "../agent.ts";
import type { ReadHookInput } from "../agent-hook.ts";
import { isAbsolute, isText } from "../hook-fields.ts";
import { readJsonCall, shorten } from "../read-json-call.ts";
import { findLooseKey } from "./loose-keys.ts";
import { nameCrushTool } from "./mcp-tool.ts";

const form = 'Crush sends {"event": "PreToolUse", "tool_name": "bash", "tool_input": {...}}.';

export function readCrushCall(text: string, place: AgentPlace): ReadHookInput {
  const read = readJsonCall(text, form);
  if (!read.ok) return read;
  const { event, session_id: sessionId, cwd, tool_name: tool, tool_input: input = null } = read.value;
  if (event !== "PreToolUse")
    return refuse(
      `The event ${shorten(JSON.stringify(event ?? null))} is not one that toolgate answers. ${form}`,
    );
  if (!isText(tool)) return refuse(`The call names no tool: "tool_name" must be text. ${form}`);
  if (!isJsonObject(input))
    return refuse(`The input of ${shorten(tool)} is missing: "tool_input" must be a JSON object. ${form}`);
  const folder = isText(cwd) && isAbsolute(cwd) ? cwd : undefined;
  const named = nameCrushTool(tool, place, folder);
  if (!named.ok) return named;
  // The input of an MCP server's tool is handed on as it is.
  const loose = named.named.agentTool === undefined ? findLooseKey(input) : undefined;
  if (loose !== undefined)
    return refuse(
      `The input of ${shorten(tool)} has the field ${shorten(JSON.stringify(loose))}, which Crush may take for another one. Write the names of fields in small letters.`,
    );
  return {
    ok: true,
    input: {
      event,
      ...named.named,
      input,
      mode: "act",
      ...(isText(sessionId) && { sessionId }),
      ...(folder !== undefined && { cwd: folder }),
    },
  };
}

function refuse(message: string): ReadHookInput {
  return { ok: false, message };
}
