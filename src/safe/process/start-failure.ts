/** Finds out why a process cannot start and says so. */

import { explainMissingCommand } from "./find-command.ts";
import type { ProcessOptions, StartFailure, StartOptions } from "./process-types.ts";

export const MAX_TIMEOUT_MS = 600_000;

export function findWrongOption(options: StartOptions): string | undefined {
  const { command, args, cwd, timeoutMs, messagePipes, sandbox } = options;
  if (command === "") return "The command is empty; name a program.";
  if ([command, cwd, ...args].some((text) => text.includes("\0"))) {
    return "The command, an argument or the working directory holds a NUL character; no program can receive one.";
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    return `timeoutMs is ${timeoutMs}; it must be above 0 and at most ${MAX_TIMEOUT_MS} (ten minutes).`;
  }
  if (messagePipes === true && sandbox?.active === true)
    return "messagePipes cannot be used in a sandbox, which has descriptor 3 for itself.";
  for (const name of ["killGraceMs", "maxOutputBytes", "hardMaxBytes"] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      return `${name} is ${value}; it must be a whole number of 0 or more.`;
    }
  }
  return undefined;
}

export function explainFailure(
  error: unknown,
  options: ProcessOptions,
  path: string | undefined,
): StartFailure {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "EACCES" || code === "ENOTDIR") {
    return { started: false, ...explainMissingCommand(options.command, path, options.cwd) };
  }
  if (code === "E2BIG") {
    return failure(
      "arguments_too_long",
      `Cannot start ${options.command}: its arguments are longer than the system takes. Give large data through stdin or a file.`,
    );
  }
  return failure("start_failed", `Cannot start ${options.command}: ${String((error as Error).message)}`);
}

export function failure(code: StartFailure["code"], message: string): StartFailure {
  return { started: false, code, message };
}
