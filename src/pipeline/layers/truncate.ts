/** Cuts output that is too long for a model in the middle. All of it goes to a file that the cut names. */
import type { Caller } from "../../core/call/call.ts";
import type { Content, ToolResult } from "../../core/call/content.ts";
import { toolResult } from "../../core/call/content.ts";
import { messageOf } from "../../core/call/errors.ts";
import type { Spill } from "../../core/ports/ports.ts";

export function isTooLong(result: ToolResult, maxBytes: number): boolean {
  // A character is at most three bytes here, so short texts need no counting.
  return countCharacters(result.content) * 3 > maxBytes && countBytes(result) > maxBytes;
}

function countCharacters(content: readonly Content[]): number {
  let characters = 0;
  for (let index = 0; index < content.length; index++) {
    const block = content[index] as Content;
    if (block.type === "text") characters += block.text.length;
  }
  return characters;
}

function countBytes(result: ToolResult): number {
  let bytes = 0;
  for (const block of result.content) if (block.type === "text") bytes += Buffer.byteLength(block.text);
  return bytes;
}

export async function truncate(
  result: ToolResult,
  maxBytes: number,
  { callId, caller }: { readonly callId: string; readonly caller: Caller },
  spill: Spill,
): Promise<ToolResult> {
  const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
  const whole = Buffer.from(texts.join("\n"));
  const kept = await keep(callId, caller.id, whole.toString(), spill);
  const head = cutEnd(whole.subarray(0, Math.ceil(maxBytes / 2)));
  const tail = cutStart(whole.subarray(whole.length - Math.floor(maxBytes / 2)));
  const left = whole.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const note = `\n[… ${left} bytes left out. ${kept} …]\n`;
  const content: Content[] = [{ type: "text", text: head + note + tail }];
  return toolResult({
    content: [...content, ...result.content.filter((block) => block.type !== "text")],
    isError: result.isError,
  });
}

/** The tool has run: that its output cannot be kept must not turn its success into a failure. */
async function keep(callId: string, callerId: string, text: string, spill: Spill): Promise<string> {
  try {
    const { path } = await spill.save(callId, text, callerId);
    const example = `fs.read {"path": ${JSON.stringify(path)}, "offset": 0, "limit": 200}`;
    return `The whole output (${Buffer.byteLength(text)} bytes) is in ${path}; read it in parts, for example with ${example}.`;
  } catch (error) {
    return `The rest could not be kept: ${messageOf(error)}`;
  }
}

/** Cuts at the last whole character and, when one is near, at a line's end. */
function cutEnd(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  const line = text.lastIndexOf("\n");
  return line > text.length - 500 && line > 0 ? text.slice(0, line + 1) : text;
}

function cutStart(bytes: Buffer): string {
  let from = 0;
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  const text = bytes.subarray(from).toString();
  const line = text.indexOf("\n");
  return line !== -1 && line < 500 ? text.slice(line + 1) : text;
}
