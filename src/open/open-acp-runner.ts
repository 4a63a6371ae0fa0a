/** The runner `acp` as the configuration sets it up: the agent's command, its variables, and how its calls are judged. */
import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import type { Runner } from "../sessions/runner.ts";
import { createAcpRunner } from "../sessions/runners/acp/create-acp-runner.ts";
import { withVariables } from "./runner-variables.ts";

export function openAcpRunner(name: string, settings: RunnerSettings, env: Environment): Runner {
  const { title, command = [], envPass, authMethod, ungated, unasked } = settings;
  const { titleIsCommand, judgeByKind, idNamesTool, clientTools } = settings;
  return withVariables(settings.env, env, (variables) =>
    createAcpRunner({
      ...{ name, title, command, envPass, authMethod, ungated, unasked },
      ...{ titleIsCommand, judgeByKind, idNamesTool, clientTools },
      env: variables,
    }),
  );
}
