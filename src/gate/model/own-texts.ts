/** What a model is told of a call's end. Texts that the gate itself wrote get the model's names of tools. */

import type { Caller } from "../../core/call/call.ts";
import type { Content, ToolResult } from "../../core/call/content.ts";
import { describeRule } from "../../core/call/describe-rule.ts";
import type { ErrorCode, Stop } from "../../core/call/errors.ts";
import type { Failure, Outcome, Success } from "../../core/call/outcome.ts";
import { isJsonObject } from "../../core/input/json.ts";
import { type KnownIds, withWireNames } from "../../core/tool/wire-names.ts";
import type { Tools } from "../gate-tools.ts";

/** The part of a gate that is looked at. */
interface HasTools {
  readonly tools: Pick<Tools, "get" | "view">;
}

/** Refusals whose words are all the gate's; those of rules, hooks, people and running tools are not. */
const ownCodes: ReadonlySet<ErrorCode> = new Set([
  "category_disabled",
  "above_ceiling",
  "missing_capability",
  "invalid_input",
  "timed_out",
]);

/** Everything for the model: what the tool said, or why not and by which rule; and what hooks add. */
export function toldOf(
  outcome: Outcome,
  caller: Caller | undefined,
  gate: HasTools,
  /** How a hook's words are shown. In a conversation the model must see whose they are. */
  shown: (text: string, hook: string) => string = asIs,
): readonly Content[] {
  const told = outcome.ok ? toldOfSuccess(outcome, caller, gate) : toldOfFailure(outcome, caller, gate);
  const added = outcome.contexts.map(
    (text, at): Content => ({ type: "text", text: shown(text, outcome.contextHooks[at] ?? "") }),
  );
  return added.length === 0 ? told : [...told, ...added];
}

function asIs(text: string): string {
  return text;
}

/** Text that a hook adds, with its name. */
export function labelled(text: string, hook: string): string {
  return `[hook ${hook}] ${text}`;
}

export function toldOfSuccess(
  outcome: Success,
  caller: Caller | undefined,
  gate: HasTools,
): readonly Content[] {
  const { tool, result } = outcome;
  // Every call comes by here: nothing else may be done for the others.
  const named = writers.get(tool);
  if (named === undefined || !isBuiltin(tool, gate)) return result.content;
  return named(result, () => callableIds(caller, gate), gate);
}

export function toldOfFailure(
  outcome: Failure,
  caller: Caller | undefined,
  gate: HasTools,
): readonly Content[] {
  return withRule(namedFailure(outcome, caller, gate), outcome.error);
}

function namedFailure(
  { tool, error, result: { content } }: Failure,
  caller: Caller | undefined,
  gate: HasTools,
): readonly Content[] {
  const { code, message } = error;
  // The names that are close to it.
  if (code === "unknown_tool")
    return withTexts(content, (text) =>
      withWireNames(text, { has: (id) => gate.tools.get(id) !== undefined }),
    );
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

/** A model that knows the rule does not try the same in other words, and can tell the person. */
function withRule(content: readonly Content[], { rule }: Stop): readonly Content[] {
  if (rule === undefined) return content;
  const [first, ...more] = content;
  if (first?.type !== "text") return [...content, { type: "text", text: describeRule(rule) }];
  return [{ ...first, text: `${first.text}\n${describeRule(rule)}` }, ...more];
}

type Named = (result: ToolResult, known: () => KnownIds, gate: HasTools) => readonly Content[];

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
function ownLines(text: string, gate: HasTools, known: KnownIds): string {
  let isOwn = false;
  const lines = text.split("\n").map((line) => {
    const name = /^([\w-]+)(?: \[[^\]]*\])?: /.exec(line)?.[1];
    if (name !== undefined && !/^(?:in|out)put: \{/.test(line)) isOwn = isBuiltin(name, gate);
    return isOwn || line.startsWith("[") ? withWireNames(line, known) : line;
  });
  return lines.join("\n");
}

function isBuiltin(name: string, gate: HasTools): boolean {
  return gate.tools.get(name)?.source.kind === "builtin";
}

function callableIds(caller: Caller | undefined, gate: HasTools): Set<string> {
  const view = gate.tools.view(caller === undefined ? {} : { caller });
  return new Set(view.filter(({ callable }) => callable).map(({ id }) => id));
}
