/** What a tool returned, made into what the caller gets: MCP-shaped, checked against the output schema, not too long. */

import { isToolResult, type ToolResult, textOf, toolResult, toToolResult } from "../../core/call/content.ts";
import { messageOf, Stop } from "../../core/call/errors.ts";
import type { Json } from "../../core/input/json.ts";
import { isPromise } from "../../core/run/abort.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { ValidationResult } from "../../core/tool/schema.ts";
import type { Call } from "../calls.ts";
import { isTooLong, truncate } from "../layers/truncate.ts";
import type { GateParts } from "../parts.ts";
import { type RunEnd, stopped } from "./run-end.ts";

export function toResult(
  returned: unknown,
  registered: RegisteredTool,
  call: Call,
  startedAt: number,
  parts: GateParts,
): RunEnd | Promise<RunEnd> {
  let result: ToolResult;
  try {
    result = toToolResult(returned);
  } catch (error) {
    return stopped(notData(registered.id, error), startedAt, parts);
  }
  // A tool that answers with a whole result has no plain value but the structured part of it.
  const whole = typeof returned === "object" && returned !== null && isToolResult(returned);
  const value = whole ? result.structured : returned;
  if (registered.validateOutput === undefined || result.isError)
    return ended(value, result, registered, call, startedAt, parts);
  return checkOutput(registered.validateOutput, value, result, whole, registered, call, startedAt, parts);
}

/** Apart, because its closure would cost every call whose tool has no output schema. */
function checkOutput(
  validateOutput: NonNullable<RegisteredTool["validateOutput"]>,
  value: unknown,
  result: ToolResult,
  whole: boolean,
  registered: RegisteredTool,
  call: Call,
  startedAt: number,
  parts: GateParts,
): RunEnd | Promise<RunEnd> {
  const take = (checked: ValidationResult): RunEnd | Promise<RunEnd> => {
    if (!checked.ok) return stopped(badOutput(registered.id, checked), startedAt, parts);
    // The schema may drop or change fields; what it dropped must not reach the model by another way.
    if (checked.value === value) return ended(value, result, registered, call, startedAt, parts);
    const shown = whole ? toolResult({ ...result, structured: checked.value }) : toToolResult(checked.value);
    return ended(checked.value, shown, registered, call, startedAt, parts);
  };
  try {
    const checking = validateOutput(value as Json);
    return isPromise(checking) ? checking.then(take) : take(checking);
  } catch (error) {
    const message = `The output of ${registered.id} could not be checked: ${messageOf(error)}`;
    return stopped(new Stop("invalid_output", "run", message, { cause: error }), startedAt, parts);
  }
}

function ended(
  value: unknown,
  result: ToolResult,
  registered: RegisteredTool,
  call: Call,
  startedAt: number,
  parts: GateParts,
): RunEnd | Promise<RunEnd> {
  const maxBytes = registered.tool.maxOutputBytes ?? parts.maxOutputBytes;
  if (isTooLong(result, maxBytes))
    return endCut(value, result, maxBytes, registered.id, call, startedAt, parts);
  return end(value, result, registered.id, startedAt, parts);
}

async function endCut(
  value: unknown,
  result: ToolResult,
  maxBytes: number,
  id: string,
  call: Call,
  startedAt: number,
  parts: GateParts,
): Promise<RunEnd> {
  return end(value, await truncate(result, maxBytes, call, parts.spill), id, startedAt, parts);
}

function end(
  value: unknown,
  result: ToolResult,
  id: string,
  startedAt: number,
  { clock }: GateParts,
): RunEnd {
  const stop = result.isError ? reported(id, result) : undefined;
  const endedAt = clock.monotonic();
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
