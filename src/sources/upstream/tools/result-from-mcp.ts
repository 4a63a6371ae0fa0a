/** The answer of an MCP server as a result of the gate: known kinds of content as is, others as text. */
import { type Content, type OtherContent, type ToolResult, toolResult } from "../../../core/call/content.ts";
import { isGateUri } from "../../../core/input/gate-uri.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { shownName } from "../../../core/text/visible.ts";

export function resultFromMcp(answer: JsonObject): ToolResult {
  const { content, structuredContent, isError } = answer;
  const structured = structuredContent ?? undefined;
  return toolResult({
    content: Array.isArray(content) ? contentOf(content) : fallback(structured),
    ...(structured !== undefined && { structured }),
    isError: isError === true,
  });
}

/** Servers are asked to write structured content as text, too; not all of them do. */
function fallback(structured: Json | undefined): Content[] {
  return structured === undefined ? [] : [{ type: "text", text: JSON.stringify(structured) }];
}

function contentOf(blocks: readonly Json[]): readonly Content[] {
  // The usual answer, one text, is passed on without a copy.
  if (blocks.every(isKnown)) return blocks;
  return blocks.map((block) => (isKnown(block) ? block : told(block)));
}

const links = new Set<OtherContent["type"]>(["resource_link"]);

function isKnown(block: Json): block is Json & Content {
  if (!isJsonObject(block)) return false;
  const { type } = block;
  if (type === "text") return typeof block.text === "string";
  if (type === "image" || type === "audio")
    return typeof block.data === "string" && typeof block.mimeType === "string";
  if (type === "resource") {
    const { resource } = block;
    return resource !== undefined && isJsonObject(resource) && isUri(resource.uri) && !isLong(resource.text);
  }
  return links.has(type as OtherContent["type"]) && isUri(block.uri);
}

/** What is longer becomes text, which the gate cuts: a model must not be flooded by other content. */
const longestText = 64 * 1024;
const longestUri = 8_000;

function isLong(text: Json | undefined): boolean {
  return typeof text === "string" && text.length > longestText;
}

function isUri(uri: Json | undefined): boolean {
  return typeof uri === "string" && uri.length <= longestUri && !isGateUri(uri);
}

function told(block: Json): Content {
  const { resource } = isJsonObject(block) ? block : {};
  if (resource !== undefined && isJsonObject(resource) && isUri(resource.uri) && isLong(resource.text))
    return { type: "text", text: `[${shownName(String(resource.uri))}]\n${String(resource.text)}` };
  const type = isJsonObject(block) && typeof block.type === "string" ? block.type : undefined;
  const what = type === undefined ? "something that is no content" : `content of the type ${shownName(type)}`;
  return { type: "text", text: `[The server sent ${what}, which is not shown.]` };
}
