/** The text of a prompt that an editor sends in blocks. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { RpcError, rpcCodes } from "../../mcp/messages.ts";

/** Throws an RpcError where a block is nothing that an agent could be given as text. */
export function promptText(prompt: Json | undefined): string {
  const blocks = Array.isArray(prompt) ? (prompt as readonly Json[]).filter(isJsonObject) : [];
  const text = blocks.map(textOf).join("\n\n").trim();
  if (text === "") throw new RpcError(rpcCodes.invalidParams, "The prompt is empty.");
  return text;
}

function textOf(block: JsonObject): string {
  const { type, text, uri, name, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if (type === "resource_link") return `[${String(name ?? uri)}](${String(uri)})`;
  if (type === "resource" && isJsonObject(resource) && typeof resource.text === "string")
    return `${String(resource.uri)}:\n\`\`\`\n${resource.text}\n\`\`\``;
  throw new RpcError(
    rpcCodes.invalidParams,
    `A prompt may hold text, links and texts of files, no ${JSON.stringify(type ?? null)}.`,
  );
}
