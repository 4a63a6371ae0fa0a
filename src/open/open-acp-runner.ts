/** The runner `acp` as the configuration sets it up: the agent's command, its variables, and how its calls are judged. */
import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import { fillIn } from "../config/settings/variables.ts";
import type { Runner } from "../sessions/runner.ts";
import { createAcpRunner } from "../sessions/runners/acp/create-acp-runner.ts";

export function openAcpRunner(name: string, settings: RunnerSettings, env: Environment): Runner {
  const { title, command = [], envPass, authMethod, ungated, unasked } = settings;
  const { titleIsCommand, judgeByKind, clientTools } = settings;
  const missing = new Set<string>();
  const filled = Object.entries(settings.env ?? {}).map(([variable, text]) => {
    const value = fillIn(text, env);
    if (!value.ok) for (const one of value.missing) missing.add(one);
    return [variable, value.ok ? value.text : ""];
  });
  const runner = createAcpRunner({
    ...{ name, title, command, envPass, authMethod, ungated, unasked },
    ...{ titleIsCommand, judgeByKind, clientTools },
    env: Object.fromEntries(filled),
  });
  if (missing.size === 0) return runner;
  const message = `The runner ${name} needs variables that are not set: ${[...missing].join(", ")}.`;
  return { ...runner, explainMissing: () => message };
}
