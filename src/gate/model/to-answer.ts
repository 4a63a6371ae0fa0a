/** The end of a call in the form in which the API of the model wants to hear it. */
import type { Content } from "../../core/call/content.ts";
import type { Outcome } from "../../core/call/outcome.ts";
import { isRecord } from "../../core/input/json.ts";
import type { AnthropicContent, AnthropicImageType, AnyAnswer } from "./formats.ts";
import type { ToolUse } from "./read-tool-use.ts";

/** `content`: what the model is told. */
export function toAnswer(
  { form, id, name }: ToolUse,
  { result }: Pick<Outcome, "result">,
  content: readonly Content[],
): AnyAnswer {
  const { isError, structured } = result;
  if (form === "anthropic")
    return {
      type: "tool_result",
      tool_use_id: id,
      content: content.flatMap(forAnthropic),
      ...(isError && { is_error: true }),
    };
  if (form === "mcp")
    return {
      content: content.map((block) => ({ ...block })),
      ...(isRecord(structured) && { structuredContent: { ...structured } }),
      ...(isError && { isError: true }),
    };
  const text = content
    .map(asText)
    .filter((one) => one !== "")
    .join("\n");
  if (form === "openai") return { role: "tool", tool_call_id: id, content: text };
  if (form === "openai-responses") return { type: "function_call_output", call_id: id, output: text };
  const response = isError ? { error: text } : { output: text };
  return { functionResponse: { ...(id !== "" && { id }), name, response } };
}

function forAnthropic(block: Content): AnthropicContent[] {
  if (block.type === "image" && isImageType(block.mimeType))
    return [
      { type: "image", source: { type: "base64", media_type: block.mimeType, data: String(block.data) } },
    ];
  const text = asText(block);
  // An empty text is refused by the API.
  return text === "" ? [] : [{ type: "text", text }];
}

const imageTypes: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

function isImageType(type: unknown): type is AnthropicImageType {
  return imageTypes.includes(type as string);
}

/** What is no text is named: the model then knows that there is more than it can see. */
function asText(block: Content): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "resource" && isRecord(block.resource) && typeof block.resource.text === "string")
    return block.resource.text;
  if (block.type === "resource_link") return `[${String(block.name ?? "resource")}: ${String(block.uri)}]`;
  const { mimeType } = block.type === "resource" && isRecord(block.resource) ? block.resource : block;
  return `[${block.type}${typeof mimeType === "string" ? ` of type ${mimeType}` : ""}, not shown]`;
}
