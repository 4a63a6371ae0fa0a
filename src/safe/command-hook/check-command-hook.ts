/** Says what is wrong with a hook that is a program, before any call meets it. */
import type { CommandHook } from "../../core/call/hook.ts";
import { hookShape } from "../../core/call/hook-shape.ts";
import { explainMisshapen } from "../../core/input/explain-shape.ts";
import { childEnvironment } from "../process/environment.ts";
import { MAX_TIMEOUT_MS } from "../process/start-failure.ts";

/** What has words of its own is looked at below; `type` and `failMode` when all hooks are compiled. */
const shape = {
  properties: hookShape.properties,
  others: ["source"],
  unchecked: ["type", "failMode", "timeoutMs", "cwd"],
};

export function explainCommandHook(hook: CommandHook): string[] {
  const { command, env = [], cwd, timeoutMs, isCancellable } = hook;
  const problems = explainMisshapen(hook, shape);
  const words = typeof command === "string" ? [command] : command;
  if (!isTexts(words) || words.length === 0 || (words[0] as string).trim() === "")
    problems.push("command must be a line for the shell, or a list: a program and its arguments.");
  else if (words.some((word) => word.includes("\0")))
    problems.push("command holds a NUL character; no program can receive one.");
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "" || cwd.includes("\0")))
    problems.push("cwd must be a folder.");
  if (isCancellable !== undefined && typeof isCancellable !== "boolean")
    problems.push("isCancellable must be true or false.");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    problems.push(`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_MS} (ten minutes).`);
  if (isTexts(env)) {
    const environment = childEnvironment({ allow: env });
    if (!environment.ok) problems.push(`env: ${environment.message}`);
  } else problems.push("env must be a list of names of variables.");
  return problems;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
