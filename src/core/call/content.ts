/** What a tool gives back: MCP-shaped content, made from whatever `run` returned. */

export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Kinds that pass through from upstream servers: audio, resource links, embedded resources. */
export interface OtherContent {
  readonly type: "audio" | "resource" | "resource_link";
  readonly [key: string]: unknown;
}

export type Content = TextContent | ImageContent | OtherContent;

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structured?: unknown;
  readonly isError: boolean;
}

/** A result with full control, for tools that answer with several blocks, an image or an error. */
export function toolResult(result: {
  readonly content: readonly Content[];
  readonly structured?: unknown;
  readonly isError?: boolean;
}): ToolResult {
  return new MadeResult(result.content, result.structured, result.isError ?? false);
}

export function textResult(text: string, isError = false): ToolResult {
  return new MadeResult([{ type: "text", text }], undefined, isError);
}

/** A plain value becomes text, objects and arrays also structured content; a result stays as it is. */
export function toToolResult(value: unknown): ToolResult {
  if (typeof value === "object" && value !== null) return objectResult(value);
  if (value === undefined) return new MadeResult([], undefined, false);
  return textResult(typeof value === "string" ? value : String(value));
}

function objectResult(value: object): ToolResult {
  if (value instanceof MadeResult) return value;
  if (isToolResult(value)) return toolResult(value);
  return new MadeResult([{ type: "text", text: JSON.stringify(value) ?? "" }], value, false);
}

const contentTypes = new Set(["text", "image", "audio", "resource", "resource_link"]);
const resultKeys = new Set(["content", "structured", "isError"]);

/** Strict on purpose: data that merely has a `content` field is data. */
export function isToolResult(value: object): value is ToolResult {
  if (value instanceof MadeResult) return true;
  const { content } = value as { content?: unknown };
  if (!Array.isArray(content) || !Object.keys(value).every((key) => resultKeys.has(key))) return false;
  return content.every(isContent);
}

function isContent(block: unknown): block is Content {
  if (typeof block !== "object" || block === null) return false;
  const { type, text } = block as { type?: unknown; text?: unknown };
  return type === "text" ? typeof text === "string" : typeof type === "string" && contentTypes.has(type);
}

export function textOf(result: ToolResult): string {
  const only = result.content.length === 1 ? result.content[0] : undefined;
  return only?.type === "text" ? only.text : joinTexts(result);
}

function joinTexts(result: ToolResult): string {
  let text = "";
  for (const block of result.content) {
    if (block.type === "text") text += text === "" ? block.text : `\n${block.text}`;
  }
  return text;
}

class MadeResult implements ToolResult {
  readonly content: readonly Content[];
  readonly structured?: unknown;
  readonly isError: boolean;

  constructor(content: readonly Content[], structured: unknown, isError: boolean) {
    this.content = content;
    if (structured !== undefined) this.structured = structured;
    this.isError = isError;
  }
}
