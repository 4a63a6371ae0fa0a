/** Runs the tool uses of one turn of a model, and answers each in the form of its API. */
import type { CallContext, CallRequest } from "../../core/call/call.ts";
import type { Content } from "../../core/call/content.ts";
import { ToolgateError } from "../../core/call/errors.ts";
import type { Outcome } from "../../core/call/outcome.ts";
import type { Tools } from "../gate-tools.ts";
import { nameBack } from "./definitions.ts";
import type { AnyAnswer } from "./formats.ts";
import { toldOf } from "./own-texts.ts";
import { readToolUse, type ToolUse } from "./read-tool-use.ts";
import { toAnswer } from "./to-answer.ts";

/** The part of a gate that is used. */
interface Dispatching {
  readonly tools: Tools;
  dispatch(request: CallRequest): Promise<Outcome>;
}

/** Throws only if `uses` is no list: that is the program's mistake, not the model's. */
export function dispatchAll(gate: Dispatching, uses: unknown, context: CallContext): Promise<AnyAnswer[]> {
  if (!Array.isArray(uses ?? [])) throw new ToolgateError(whatToGive);
  const found = ((uses ?? []) as readonly unknown[]).flatMap((use) => readToolUse(use) ?? []);
  // All at once: the gate's locks let readers run together and writers one after the other, in this order.
  return Promise.all(found.map((use) => dispatchOne(gate, use, context)));
}

const whatToGive =
  "dispatchAll takes a list: `message.content` (Anthropic), `message.tool_calls` (OpenAI), `response.output` (OpenAI Responses) or `response.functionCalls` (Gemini).";

async function dispatchOne(gate: Dispatching, use: ToolUse, context: CallContext): Promise<AnyAnswer> {
  const { name, input, id, problem } = use;
  const outcome = await gate.dispatch({
    ...context,
    tool: nameBack(name, gate.tools),
    input,
    ...(id !== "" && { toolUseId: id }),
  });
  const told = toldOf(outcome, context.caller, gate);
  // The gate refused it, and has it on record; the model needs to know why.
  const more: readonly Content[] = problem === undefined ? [] : [{ type: "text", text: problem }];
  return toAnswer(use, outcome, [...told, ...more]);
}
