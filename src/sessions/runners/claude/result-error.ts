/** How a turn of the agent failed, if it did, in the words of the port. */
import { RunnerError } from "../../runner.ts";
import type { SdkMessage } from "./sdk.ts";

/** What the API of the model said. The rest is a request that it refuses, now and later. */
const passing: ReadonlySet<unknown> = new Set(["rate_limit", "overloaded", "server_error", "unknown"]);
const isFull: ReadonlySet<unknown> = new Set(["rate_limit", "overloaded", 429, 503, 529]);

/** A `success` can be an error: only `is_error` says it. Undefined: the turn went well. */
export function toRunnerError(result: SdkMessage, apiError: string | undefined): RunnerError | undefined {
  const { subtype, is_error: isError } = result;
  if (subtype === "success" && isError !== true) return undefined;
  const said = saidBy(result);
  if (subtype === "error_max_turns")
    return new RunnerError("budget_spent", `The budget of this session is spent: ${said}.`);
  if (apiError === undefined && result.terminal_reason !== "api_error")
    return new RunnerError("runner_failed", `The agent ended with an error: ${said}`);
  const full = isFull.has(apiError) || isFull.has(result.api_error_status);
  return new RunnerError(full ? "model_overloaded" : "model_failed", said, {
    retryable: full || passing.has(apiError),
  });
}

function saidBy({ result, errors, subtype }: SdkMessage): string {
  if (typeof result === "string" && result !== "") return result;
  const texts = Array.isArray(errors) ? errors.filter((text) => typeof text === "string" && text !== "") : [];
  return texts.length > 0 ? texts.join(" ") : String(subtype);
}
