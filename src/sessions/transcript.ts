/** The log of a session as text, for an agent that has to start afresh and must know what was said. */
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import type { SessionItem } from "../core/ports/sessions.ts";

const longestPart = 2_000;

/** The end of the log, as much as fits. Empty: nothing was said. */
export function toTranscript(items: readonly SessionItem[], maxCharacters = 60_000): string {
  const parts = items.map(describe).filter((part) => part !== "");
  let from = parts.length;
  for (let left = maxCharacters; from > 0; from--) {
    left -= (parts[from - 1]?.length ?? 0) + 2;
    if (left < 0) break;
  }
  const dropped = from === 0 ? [] : [`[${from} earlier entries are left out]`];
  return [...dropped, ...parts.slice(from)].join("\n\n");
}

/** What the agent is told with the next prompt. */
export function withTranscript(transcript: string, prompt: string): string {
  if (transcript === "") return prompt;
  return `This conversation was begun before, and you have no memory of it. Its transcript:\n\n<transcript>\n${transcript}\n</transcript>\n\nThe conversation goes on with this message:\n\n${prompt}`;
}

function describe({ kind, body }: SessionItem): string {
  if (kind === "message") {
    const who = body.role === "user" ? "User" : "Assistant";
    return body.role === "note" ? "" : `${who}: ${shortened(String(body.text ?? ""))}`;
  }
  if (kind === "tool_use") return `Assistant called ${body.tool}: ${shortened(JSON.stringify(body.input))}`;
  if (kind === "tool_result")
    return `${body.tool} ${body.ok === true ? "answered" : "failed"}: ${shortened(textOf(body))}`;
  if (kind === "error") return `[The turn failed: ${shortened(String(body.message ?? ""))}]`;
  return kind === "cancelled" ? "[The turn was cancelled]" : "";
}

function textOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return "";
  return content.map((block: Json) => (isJsonObject(block) ? String(block.text ?? "") : "")).join("\n");
}

function shortened(text: string): string {
  return text.length <= longestPart ? text : `${text.slice(0, longestPart)} [${text.length} characters]`;
}
