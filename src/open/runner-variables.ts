/** The variables of a runner, with those of toolgate's own filled in that they name. */
import type { Environment } from "../config/folders.ts";
import { fillIn } from "../config/settings/variables.ts";
import type { Runner } from "../sessions/runner.ts";

/** A runner that lacks a variable is there, and says what it lacks. */
export function withVariables(
  written: Readonly<Record<string, string>> | undefined,
  env: Environment,
  make: (variables: Readonly<Record<string, string>>) => Runner,
): Runner {
  const missing = new Set<string>();
  const filled = Object.entries(written ?? {}).map(([variable, text]) => {
    const value = fillIn(text, env);
    if (!value.ok) for (const one of value.missing) missing.add(one);
    return [variable, value.ok ? value.text : ""];
  });
  const runner = make(Object.fromEntries(filled));
  if (missing.size === 0) return runner;
  const message = `The runner ${runner.name} needs variables that are not set: ${[...missing].join(", ")}.`;
  return { ...runner, explainMissing: () => message };
}
