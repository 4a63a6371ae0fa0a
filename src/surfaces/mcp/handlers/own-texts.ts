/** Puts the client's names of tools into results that the gate itself wrote, and into no others. */

import type { Caller } from "../../../core/call/call.ts";
import type { Content, ToolResult } from "../../../core/call/content.ts";
import type { ErrorCode } from "../../../core/call/errors.ts";
import type { Failure, Success } from "../../../core/call/outcome.ts";
import { isJsonObject } from "../../../core/input/json.ts";
import type { Gate } from "../../../gate/gate.ts";
import { type KnownIds, withWireNames } from "../wire-names.ts";

/** Refusals whose words are all the gate's; those of rules, hooks, people and running tools are not. */
const ownCodes: ReadonlySet<ErrorCode> = new Set([
  "category_disabled",
  "above_ceiling",
  "missing_capability",
  "invalid_input",
  "timed_out",
]);

export function toldOfSuccess(outcome: Success, caller: Caller | undefined, gate: Gate): readonly Content[] {
  const { tool, result } = outcome;
  // Every call comes by here: nothing else may be done for the others.
  const named = writers.get(tool);
  if (named === undefined || !isBuiltin(tool, gate)) return result.content;
  return named(result, () => callableIds(caller, gate), gate);
}

export function toldOfFailure(
  { tool, error, result: { content } }: Failure,
  caller: Caller | undefined,
  gate: Gate,
): readonly Content[] {
  const { code, message } = error;
  if (!ownCodes.has(code)) return content;
  // What an input lacks is said by the tool: a stranger's words, unless it is the gate's own.
  if (code === "invalid_input" && !isBuiltin(tool, gate)) return content;
  const [first, ...more] = content;
  // A hook may have put other words in its place.
  if (first?.type !== "text" || !first.text.startsWith(message)) return content;
  // The client knows what it called, also if it may not.
  const known = (code === "invalid_input" ? callableIds(caller, gate) : new Set<string>()).add(tool);
  const text = withWireNames(message, known) + first.text.slice(message.length);
  return [{ ...first, text }, ...more];
}

type Named = (result: ToolResult, known: () => KnownIds, gate: Gate) => readonly Content[];

const nameFound: Named = ({ content }, known, gate) =>
  withTexts(content, (text) => ownLines(text, gate, known()));

/** Only a command in the background has an id; the output of any other is not ours. */
const nameNextSteps: Named = ({ content, structured }, known) =>
  isJsonObject(structured) && "id" in structured
    ? withTexts(content, (text) => (isStart.test(text) ? withWireNames(text, known()) : text))
    : content;

const isStart = /^Started in the background as /;

/** Of all tools that succeed these write what names others, and can be told from what they found. */
const writers: ReadonlyMap<string, Named> = new Map([
  ["tools.search", nameFound],
  ["tools.describe", nameFound],
  ["shell.exec", nameNextSteps],
]);

function withTexts(content: readonly Content[], change: (text: string) => string): readonly Content[] {
  return content.map((block) =>
    block.type === "text" ? { ...block, text: change(String(block.text)) } : block,
  );
}

/**
 * An entry is `name: ...` or `name [group]: ...`, its schema follows as `input: {...}`. No entry can hold a
 * line feed, so each line has one author.
 */
function ownLines(text: string, gate: Gate, known: KnownIds): string {
  let isOwn = false;
  const lines = text.split("\n").map((line) => {
    const name = /^([\w-]+)(?: \[[^\]]*\])?: /.exec(line)?.[1];
    if (name !== undefined && !/^(?:in|out)put: \{/.test(line)) isOwn = isBuiltin(name, gate);
    return isOwn || line.startsWith("[") ? withWireNames(line, known) : line;
  });
  return lines.join("\n");
}

function isBuiltin(name: string, gate: Gate): boolean {
  return gate.tools.get(name)?.source.kind === "builtin";
}

function callableIds(caller: Caller | undefined, gate: Gate): Set<string> {
  const view = gate.tools.view(caller === undefined ? {} : { caller });
  return new Set(view.filter(({ callable }) => callable).map(({ id }) => id));
}
