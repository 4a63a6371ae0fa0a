/** validate: the input fits the tool's schema and its own check. Not for tools that an agent runs itself. */

import { messageOf, Stop } from "../../core/call/errors.ts";
import { isPromise, onAbort } from "../../core/run/abort.ts";
import { exactDuration } from "../../core/text/duration.ts";
import { readCheckAnswer } from "../../core/tool/own-check.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { ValidationResult } from "../../core/tool/schema.ts";
import type { RoutedCall, ValidCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { RunContext } from "../run/run-context.ts";
import type { Step } from "../step.ts";
import { stopTraced } from "../trace.ts";

export function validate(call: RoutedCall, parts: DecidingParts): Step<ValidCall> {
  const { registered } = call;
  if (call.kind === "check" || registered === undefined) return skipped(call);
  return call.input === call.fitting
    ? accepted(call, registered, call.input, parts)
    : check(call, registered, parts);
}

function check(call: RoutedCall, registered: RegisteredTool, parts: DecidingParts): Step<ValidCall> {
  try {
    const result = registered.validateInput(call.input);
    return isPromise(result)
      ? finishLater(call, registered, result, parts)
      : finish(call, registered, result, parts);
  } catch (error) {
    return broken(call, error);
  }
}

function skipped(call: RoutedCall): ValidCall {
  call.trace?.push({ stage: "validate", finding: "skipped: the agent that runs the tool checks its input" });
  call.args = call.input;
  return call as ValidCall;
}

function finishLater(
  call: RoutedCall,
  registered: RegisteredTool,
  result: Promise<ValidationResult>,
  parts: DecidingParts,
): Promise<ValidCall | Stop> {
  return within(registered.tool.timeoutMs ?? parts.defaultTimeoutMs, call, parts, () => result).then(
    (settled) => (settled instanceof Stop ? settled : finish(call, registered, settled, parts)),
    (error: unknown) => broken(call, error),
  );
}

function finish(
  call: RoutedCall,
  registered: RegisteredTool,
  result: ValidationResult,
  parts: DecidingParts,
): Step<ValidCall> {
  return result.ok ? accepted(call, registered, result.value, parts) : refused(call, registered.id, result);
}

function accepted(
  call: RoutedCall,
  registered: RegisteredTool,
  args: unknown,
  parts: DecidingParts,
): Step<ValidCall> {
  call.args = args;
  if (registered.tool.validate !== undefined) return ownCheck(call, registered, parts);
  call.trace?.push({ stage: "validate", finding: "the input fits the schema" });
  return call as ValidCall;
}

function refused(call: RoutedCall, id: string, result: ValidationResult & { ok: false }): Stop {
  const what = result.issues.map((issue) => issue.message).join("; ");
  call.trace?.push({ stage: "validate", finding: what });
  const how = result.undecided === true ? "took too long to check" : "is not valid";
  return new Stop("invalid_input", "validate", `The input of ${id} ${how}: ${what}`, {
    issues: result.issues,
  });
}

async function ownCheck(
  call: RoutedCall,
  { id, tool }: RegisteredTool,
  parts: DecidingParts,
): Promise<ValidCall | Stop> {
  const context = new RunContext(call, parts, undefined);
  try {
    const answer = await within(tool.timeoutMs ?? parts.defaultTimeoutMs, call, parts, () =>
      tool.validate?.(call.args, context),
    );
    if (answer instanceof Stop) return answer;
    const read = readCheckAnswer(answer);
    if (read.kind === "mistake") return broken(call, explainMistake(answer));
    if (read.kind === "refused") return objection(call, id, read.reasons);
    call.trace?.push({ stage: "validate", finding: "the input fits the schema and the tool's own check" });
    return call as ValidCall;
  } catch (error) {
    return broken(call, error);
  } finally {
    context.close();
  }
}

function objection(call: RoutedCall, id: string, reasons: readonly string[]): Stop {
  const told = { path: "$", expected: "an input the tool accepts", received: "this input" };
  return refused(call, id, { ok: false, issues: reasons.map((message) => ({ ...told, message })) });
}

/** For the author of the tool: the caller can do nothing about it. */
function explainMistake(answer: unknown): Error {
  return new Error(
    `its validate() answered with ${describe(answer)}, which is neither yes nor no. The tool's author has to return nothing, true or [] for an input that is fine; else false, a text, a list of texts, or {valid, errors}.`,
  );
}

function describe(answer: unknown): string {
  if (typeof answer === "string") return "an empty text";
  if (typeof answer !== "object") return `${typeof answer} ${String(answer)}`;
  return Array.isArray(answer) ? "a list that holds something else than texts" : "an object of another form";
}

/** A check of the tool's author may hang like any of its code; the caller may leave meanwhile. */
function within<Value>(
  timeoutMs: number,
  call: RoutedCall,
  parts: DecidingParts,
  check: () => Value | Promise<Value>,
) {
  return new Promise<Value | Stop>((resolve, reject) => {
    const stopTimer = parts.clock.after(timeoutMs, () => {
      const message = `The check of ${call.planned.id} did not end within ${exactDuration(timeoutMs)}.`;
      resolve(new Stop("invalid_input", "validate", message));
    });
    const stopListening = onAbort(call.signal, () => {
      resolve(new Stop("cancelled", "validate", "The call was cancelled while its input was checked."));
    });
    new Promise<Value>((settle) => settle(check())).then(resolve, reject).finally(() => {
      stopTimer();
      stopListening();
    });
  });
}

/** A check that breaks has not said yes. */
function broken(call: RoutedCall, error: unknown): Stop {
  const message = `The input of ${call.planned.id} could not be checked: ${messageOf(error)}`;
  return stopTraced(call, new Stop("invalid_input", "validate", message, { cause: error }));
}
