/** Makes a result of what a tool returned: MCP-shaped, fitting the output schema, not too long. */

import { isToolResult, type ToolResult, textOf, toolResult, toToolResult } from "../../core/call/content.ts";
import { messageOf, Stop } from "../../core/call/errors.ts";
import type { Json } from "../../core/input/json.ts";
import { isPromise } from "../../core/run/abort.ts";
import type { ValidateInput, ValidationResult } from "../../core/tool/schema.ts";
import { isTooLong, truncate } from "../layers/truncate.ts";
import { type RunEnd, type Running, stopped } from "./run-end.ts";

export function toResult(
  returned: unknown,
  startedAt: number,
  running: Running<unknown>,
): RunEnd | Promise<RunEnd> {
  const { registered, parts } = running;
  let result: ToolResult;
  try {
    result = toToolResult(returned);
  } catch (error) {
    return stopped(notData(registered.id, error), startedAt, parts);
  }
  // A tool that answers with a whole result has no plain value but the structured part of it.
  const whole = typeof returned === "object" && returned !== null && isToolResult(returned);
  const got: Got = { value: whole ? result.structured : returned, result, startedAt };
  return registered.validateOutput === undefined || result.isError
    ? ended(got, running)
    : checkOutput(registered.validateOutput, got, whole, running);
}

/** What a run gave, and when it began. */
interface Got {
  readonly value: unknown;
  readonly result: ToolResult;
  readonly startedAt: number;
}

/** Apart, because its closure would cost every call whose tool has no output schema. */
function checkOutput(
  validateOutput: ValidateInput,
  got: Got,
  whole: boolean,
  running: Running<unknown>,
): RunEnd | Promise<RunEnd> {
  const { registered, parts } = running;
  const { value, result, startedAt } = got;
  const take = (checked: ValidationResult): RunEnd | Promise<RunEnd> => {
    if (!checked.ok) return stopped(badOutput(registered.id, checked), startedAt, parts);
    // The schema may drop or change fields; what it dropped must not reach the model by another way.
    if (checked.value === value) return ended(got, running);
    const shown = whole ? toolResult({ ...result, structured: checked.value }) : toToolResult(checked.value);
    return ended({ value: checked.value, result: shown, startedAt }, running);
  };
  try {
    const checking = validateOutput(value as Json);
    return isPromise(checking) ? checking.then(take) : take(checking);
  } catch (error) {
    const message = `The output of ${registered.id} could not be checked: ${messageOf(error)}`;
    return stopped(new Stop("invalid_output", "run", message, { cause: error }), startedAt, parts);
  }
}

function ended(got: Got, running: Running<unknown>): RunEnd | Promise<RunEnd> {
  const { registered, parts } = running;
  const maxBytes = registered.tool.maxOutputBytes ?? parts.maxOutputBytes;
  return isTooLong(got.result, maxBytes) ? endCut(got, maxBytes, running) : end(got, running);
}

async function endCut(got: Got, maxBytes: number, running: Running<unknown>): Promise<RunEnd> {
  const { admitted, parts } = running;
  return end({ ...got, result: await truncate(got.result, maxBytes, admitted.call, parts.spill) }, running);
}

function end({ value, result, startedAt }: Got, { registered, parts }: Running<unknown>): RunEnd {
  const stop = result.isError ? reported(registered.id, result) : undefined;
  const endedAt = parts.clock.monotonic();
  return { stop, value, result, endedAt, durationMs: endedAt - startedAt };
}

function reported(id: string, result: ToolResult): Stop {
  return new Stop("tool_failed", "run", textOf(result) || `${id} reported an error.`);
}

function notData(id: string, error: unknown): Stop {
  return new Stop("tool_failed", "run", `${id} returned something that is not data: ${messageOf(error)}`);
}

function badOutput(id: string, { issues }: ValidationResult & { ok: false }): Stop {
  const what = issues.map((issue) => issue.message).join("; ");
  return new Stop("invalid_output", "run", `${id} returned what its output schema does not allow: ${what}`, {
    issues,
  });
}
