/** `toolgate explain`: why a call passes or not, stage by stage. Nothing runs or is counted. */
import { findMainField } from "../../../../agents/main-field.ts";
import type { CallRequest } from "../../../../core/call/call.ts";
import type { Explanation, Finding } from "../../../../core/call/outcome.ts";
import { roleOfField } from "../../../../core/input/input-roles.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { Gate } from "../../../../gate/gate.ts";
import { openGate } from "../../../../open/open-config.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import { describeIgnored, describeNotes, openUsable } from "../../open/effective-config.ts";
import type { ToolOptions } from "../../open/tool-options.ts";
import { type Colours, coloursFor } from "../../terminal/colours.ts";
import { readLines } from "../../terminal/input-lines.ts";
import { type CliIo, exitCodes, fail, jsonLine, type ListOptions, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { indented, shownRule } from "../../terminal/shown.ts";
import { parametersOf } from "../../terminal/tool-parameters.ts";
import { type CallText, type CallWords, callInWords } from "./call-in-words.ts";
import { maxCallLength, readCall } from "./read-call.ts";

interface ExplainOptions extends ToolOptions, ListOptions, CallWords {
  readonly batch?: boolean | undefined;
  readonly as?: "call" | "check" | undefined;
}

export async function runExplain(options: ExplainOptions, io: CliIo): Promise<number> {
  const inWords = options.tool !== undefined;
  if (inWords && options.batch === true)
    return fail("--batch reads calls from standard input; leave the tool and its input away.", io);
  if (!inWords && io.stdinIsTerminal === true) io.err(asTyped(waiting(options.batch === true), io));
  const as = options.as ?? "check";
  await using opened = await (as === "call" ? openTools(options, io) : openRules(options, io));
  const { gate } = opened;
  // Awaited here: the gate is closed when this function returns.
  if (options.batch === true) return await explainLines(gate, { as, json: options.json }, io);
  const given: CallText = inWords ? readWords(options, gate) : { ok: true, text: await io.readStdin() };
  const read = given.ok ? readCall(given.text) : given;
  if (!read.ok) return fail(read.message, io);
  const explanation = await gate.explain({ cwd: io.cwd, ...read.call }, { as });
  if (options.json === true) return printJson(explanation, io);
  if (options.ndjson === true) io.out(jsonLine(explanation));
  else io.out((inWords ? describeCall(read.call, io) : "") + describeExplanation(explanation, io));
  return exitCodes.ok;
}

/** Tools that are open here say by their schema which field a text is for. */
function readWords(options: ExplainOptions, gate: Gate): CallText {
  return callInWords(options, (name) => {
    const known = findMainField(name);
    const tool = known === undefined ? gate.tools.get(name) : undefined;
    const parameters = tool === undefined ? [] : parametersOf(tool);
    const needed = parameters.filter(({ required }) => required);
    const [only, ...others] = parameters.length === 1 ? parameters : needed;
    if (only === undefined || others.length > 0) return known;
    return { name: only.name, isCommand: roleOfField(only.name) === "command" };
  });
}

/** Which field the words became is worth a look. */
function describeCall({ tool, input }: CallRequest, io: CliIo): string {
  return coloursFor(io).dim(`${visible(tool)} ${visible(JSON.stringify(input), { maxLength: 2_000 })}\n`);
}

/** The tools are loaded only where a call of one is explained. */
async function openTools(options: ExplainOptions, io: CliIo): Promise<OpenTools> {
  const { openToolGate } = await import("../../open/tool-options.ts");
  return openToolGate(options, io, { durable: false });
}

/** Calls that agents run themselves are asked about by their own names; our tools are not needed. */
async function openRules(
  options: ExplainOptions,
  io: CliIo,
): Promise<AsyncDisposable & { readonly gate: Gate }> {
  const config = await openUsable(options, io);
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  const gate = await openGate(config);
  return { gate, [Symbol.asyncDispose]: () => gate.close() };
}

/** Answers go out in pieces of about this size: ten thousand small writes are slower than the gate itself. */
const pieceLength = 64 * 1024;

async function explainLines(
  gate: Gate,
  { as, json: isList }: Pick<ExplainOptions, "json"> & { readonly as: "call" | "check" },
  io: CliIo,
): Promise<number> {
  let exitCode: number = exitCodes.ok;
  let piece = isList === true ? "[\n" : "";
  let isFirst = true;
  const chunks = io.stdinChunks ?? (() => once(io));
  const answered = flushing(chunks(), () => {
    io.out(piece);
    piece = "";
  });
  for await (const { number, text } of readLines(answered, maxCallLength)) {
    if (io.signal.aborted) break;
    if (text?.trim() === "") continue;
    const read =
      text === undefined
        ? { ok: false as const, message: `The line is longer than ${maxCallLength} characters.` }
        : readCall(text);
    if (!read.ok) exitCode = exitCodes.failed;
    const answer = read.ok
      ? await gate.explain({ cwd: io.cwd, ...read.call }, { as })
      : { error: read.message, line: number };
    // A list is written as it comes, too: it may be longer than what fits into memory.
    piece += isList === true ? `${isFirst ? "" : ",\n"}${JSON.stringify(answer)}` : jsonLine(answer);
    isFirst = false;
    if (piece.length < pieceLength) continue;
    io.out(piece);
    piece = "";
  }
  io.out(isList === true ? `${piece}${isFirst ? "" : "\n"}]\n` : piece);
  return exitCode;
}

/** All answers are written before more input is waited for: who asks line by line is answered. */
async function* flushing(chunks: AsyncIterable<string>, flush: () => void): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk;
    flush();
  }
}

async function* once(io: CliIo): AsyncGenerator<string> {
  yield await io.readStdin();
}

function waiting(isBatch: boolean): string {
  const what = isBatch ? "tool calls, one line of JSON each" : "one tool call as JSON";
  const words = isBatch ? "" : "Or without JSON: toolgate explain Bash 'git push --force'\n";
  return `Waiting for ${what}, on standard input (Ctrl-D ends it), for example:\n  {"tool_name":"Bash","tool_input":{"command":"git push --force"}}\n${words}`;
}

function describeExplanation(explanation: Explanation, io: CliIo): string {
  const { verdict, tool, stage, rule, message, hint, walk } = explanation;
  const colours = coloursFor(io);
  const by = rule === undefined ? "" : `, by ${shownRule(rule, io.cwd)}`;
  const lines = [`${verdictColour(verdict, colours)(verdict)} ${visible(tool)}, decided at ${stage}${by}`];
  if (message !== undefined) lines.push(indented(message, 2));
  if (hint !== undefined) lines.push(colours.dim(indented(`hint: ${asTyped(hint, io)}`, 2)));
  lines.push("", ...walk.map((finding) => describeFinding(finding, io.cwd, colours)));
  return `${lines.join("\n")}\n`;
}

function describeFinding({ stage, finding, rule }: Finding, cwd: string, colours: Colours): string {
  const by = rule === undefined ? "" : colours.dim(` [${shownRule(rule, cwd)}]`);
  return `  ${colours.bold(stage.padEnd(14))}${indented(finding, 16).trimStart()}${by}`;
}

function verdictColour(verdict: Explanation["verdict"], colours: Colours): (text: string) => string {
  if (verdict === "deny") return colours.red;
  return verdict === "ask" ? colours.yellow : colours.green;
}
