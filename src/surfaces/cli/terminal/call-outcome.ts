/** How a call ended, for a person: the tool's answer, or what stopped it and what to do. */
import { Buffer } from "node:buffer";
import { type Content, type ToolResult, textOf } from "../../../core/call/content.ts";
import type { Stop } from "../../../core/call/errors.ts";
import type { Failure } from "../../../core/call/outcome.ts";
import { visible } from "../../../core/text/visible.ts";
import { coloursFor } from "./colours.ts";
import { enableHint } from "./enable-hint.ts";
import type { CliIo } from "./io.ts";
import { asTyped } from "./own-command.ts";
import { indented, shownRule } from "./shown.ts";

export function describeContent({ content }: ToolResult, io: Pick<CliIo, "isTerminal">): string {
  return content
    .map((block) => describeBlock(block, io))
    .map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`))
    .join("");
}

export function describeFailure({ tool, error, result }: Failure, category: string, io: CliIo): string {
  const colours = coloursFor(io);
  const { code, stage, message, rule } = error;
  const ran = stage === "run" || stage === "after-hooks";
  const by = rule === undefined ? "" : `, by ${shownRule(rule, io.cwd)}`;
  const lines = [
    `${colours.red(ran ? "failed" : "refused")} ${visible(tool)}: ${code}, decided at ${stage}${by}`,
    indented(message, 2),
  ];
  const told = textOf(result);
  // What a tool answered besides its message: the output of a command that failed.
  if (ran && !told.startsWith(message)) lines.push(indented(told, 2));
  lines.push(colours.dim(indented(`hint: ${asTyped(hintFor(error, category), io)}`, 2)));
  return `${lines.join("\n")}\n`;
}

/** In words of this command line, where it has an option for that. */
function hintFor(error: Stop, category: string): string {
  if (error.code === "no_approver")
    return "Call it at a terminal to be asked, or with --wait 5m to be answered by toolgate approvals in another terminal, or write a policy that approves this call.";
  const open = enableHint(error, category);
  return open === undefined ? error.hint : `Call it again with ${open}`;
}

function describeBlock(block: Content, { isTerminal }: Pick<CliIo, "isTerminal">): string {
  // A file's text may hold sequences that a terminal obeys.
  if (block.type === "text") return isTerminal ? visible(block.text, { keepNewlines: true }) : block.text;
  const { data, mimeType } = block as { readonly data?: unknown; readonly mimeType?: unknown };
  if (typeof data !== "string") return visible(JSON.stringify(block));
  const bytes = Buffer.byteLength(data, "base64");
  return `[${block.type}: ${visible(String(mimeType))}, ${bytes} bytes; --json prints it]`;
}
