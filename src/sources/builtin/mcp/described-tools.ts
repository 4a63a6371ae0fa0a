/** Full definitions of tools by any of their names, as text of a bounded length. */
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import { visible } from "../../../core/text/visible.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import { toolLine } from "./tool-line.ts";

const maxDescription = 4_000;

/** What does not fit is shown in one line, with what to do about it. */
export function describedTools(
  names: readonly string[],
  tools: readonly RegisteredTool[],
  maxTokens: number,
): string {
  const wanted = new Set(names.map((name) => name.trim()).filter((name) => name !== ""));
  const found = new Set<RegisteredTool>();
  const missing: string[] = [];
  for (const name of wanted) {
    const tool = tools.find((one) => one.names.includes(name));
    if (tool === undefined) missing.push(name);
    else found.add(tool);
  }
  const parts: string[] = [];
  let room = maxTokens;
  const put = (text: string): boolean => {
    const tokens = estimateTokens(text) + 1;
    if (tokens > room) return false;
    room -= tokens;
    parts.push(text);
    return true;
  };
  let left = 0;
  for (const tool of found) {
    const fits = put(whole(tool)) || put(withoutSchema(tool, found.size > 1));
    if (!fits) left++;
  }
  if (left > 0) parts.push(`[${left} more do not fit; ask for fewer.]`);
  if (missing.length > 0)
    parts.push(`[No tool that you may call: ${visible(missing.join(", "), { maxLength: 300 })}]`);
  return parts.length === 0 ? "[No names given.]" : parts.join("\n");
}

function whole({ wireName, tool, inputSchema, outputSchema }: RegisteredTool): string {
  // On one line: what a stranger wrote must not look like another tool's entry.
  const description = tool.description.trim().replace(/\s+/g, " ");
  const lines = [`${wireName}: ${visible(description, { maxLength: maxDescription })}`];
  lines.push(`input: ${visible(JSON.stringify(inputSchema))}`);
  if (outputSchema !== undefined) lines.push(`output: ${visible(JSON.stringify(outputSchema))}`);
  return lines.join("\n");
}

function withoutSchema(registered: RegisteredTool, isOneOfMany: boolean): string {
  const length = JSON.stringify(registered.inputSchema).length;
  const instead = isOneOfMany ? "ask tools.describe for it alone" : "it is too long to show";
  return `${toolLine(registered)}\n[Its input schema has ${length} characters; ${instead}.]`;
}
