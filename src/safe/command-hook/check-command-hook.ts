/** Says what is wrong with a hook that is a program, before any call meets it. */
import type { CommandHook } from "../../core/call/hook.ts";
import { unknownKeys } from "../../core/input/unknown-keys.ts";
import { childEnvironment } from "../process/environment.ts";
import { MAX_TIMEOUT_MS } from "../process/start-failure.ts";

const keys = [
  "name",
  "type",
  "toolPatterns",
  "command",
  "timeoutMs",
  "isCancellable",
  "failMode",
  "mode",
  "wire",
  "env",
  "cwd",
  "source",
];

export function explainCommandHook(hook: CommandHook): string[] {
  const { command, mode, wire, env = [], cwd, timeoutMs, isCancellable } = hook;
  const problems = unknownKeys(hook, keys).map(
    ({ key, instead }) => `has an unknown key "${key}"; ${instead}`,
  );
  const words = typeof command === "string" ? [command] : command;
  if (!isTexts(words) || words.length === 0 || (words[0] as string).trim() === "")
    problems.push("command must be a line for the shell, or a list: a program and its arguments.");
  else if (words.some((word) => word.includes("\0")))
    problems.push("command holds a NUL character; no program can receive one.");
  if (mode !== undefined && mode !== "process" && mode !== "daemon")
    problems.push(`mode must be process or daemon, not ${JSON.stringify(mode)}.`);
  if (wire !== undefined && wire !== "toolgate" && wire !== "claude-code")
    problems.push(`wire must be toolgate or claude-code, not ${JSON.stringify(wire)}.`);
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
