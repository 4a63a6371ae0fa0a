/** What happens in a session, as the updates that an editor shows. */
import { readRoles, rolesOf } from "../../core/input/input-roles.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { AcpKind } from "../../core/tool/acp-kinds.ts";
import { findAgentsTool, type KnownTool } from "../../core/tool/known-tools.ts";
import type { SessionEvent } from "../../sessions/session-event.ts";

export class Updates {
  /** Of messages that are still being written: how much the editor has. */
  readonly #sent = new Map<string, number>();

  /** `isReplay`: the editor has nothing of the session yet, also not what its person said. */
  of({ event, data }: SessionEvent, isReplay: boolean): JsonObject[] {
    const itemId = String(data.itemId);
    if (event === "message-delta") return this.#add(itemId, Number(data.offset), String(data.text));
    if (event === "tool_use") return [toolCall(data)];
    if (event === "tool_result") return [toolEnd(data)];
    if (event !== "message") return [];
    const text = String(data.text);
    if (data.role === "user") return isReplay ? [chunk("user_message_chunk", text)] : [];
    if (data.role === "note") return [chunk("agent_thought_chunk", `${text}\n`)];
    const updates = this.#add(itemId, 0, text);
    this.#sent.delete(itemId);
    return updates;
  }

  #add(itemId: string, offset: number, text: string): JsonObject[] {
    const sent = this.#sent.get(itemId) ?? 0;
    const end = offset + text.length;
    if (end <= sent) return [];
    this.#sent.set(itemId, end);
    return [{ ...chunk("agent_message_chunk", text.slice(Math.max(0, sent - offset))), messageId: itemId }];
  }
}

export function chunk(sessionUpdate: string, text: string): JsonObject {
  return { sessionUpdate, content: { type: "text", text } };
}

/** The facts of a call, for updates and for questions. */
export function callFacts(tool: string, given: Json | undefined): JsonObject {
  const known = findAgentsTool(tool);
  const input = isJsonObject(given) ? given : {};
  const roles = known === undefined ? undefined : readRoles(rolesOf({ roles: known.roles }), input);
  const [main] = [...(roles?.command ?? []), ...(roles?.path ?? []), ...(roles?.url ?? [])];
  const locations = (roles?.path ?? []).filter((path) => path.startsWith("/")).map((path) => ({ path }));
  return {
    title: main === undefined ? tool : `${tool}: ${main.slice(0, 300)}`,
    kind: kindOf(known),
    rawInput: input,
    locations,
  };
}

function toolCall({ tool, toolUseId, input }: JsonObject): JsonObject {
  const facts = callFacts(String(tool), input);
  return { sessionUpdate: "tool_call", toolCallId: String(toolUseId), status: "pending", ...facts };
}

function toolEnd({ toolUseId, ok, content }: JsonObject): JsonObject {
  const blocks = Array.isArray(content) ? (content as readonly Json[]) : [];
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: String(toolUseId),
    status: ok === true ? "completed" : "failed",
    content: blocks.map((block) => ({ type: "content", content: block })),
  };
}

const kinds: Readonly<Record<string, AcpKind>> = {
  "fs.delete": "delete",
  "fs.move": "move",
  "web.search": "search",
  "task.mode": "switch_mode",
  filesystem: "read",
  workspace: "read",
  search: "search",
  editing: "edit",
  web: "fetch",
  task: "think",
};

function kindOf(known: KnownTool | undefined): AcpKind {
  if (known === undefined) return "other";
  if (known.permission === "execute" && known.category === "shell") return "execute";
  return kinds[known.id] ?? kinds[known.category] ?? (known.permission === "read" ? "read" : "other");
}
