/** The runner `claude` as the configuration sets it up; there is one without any configuration, too. */
import { type Environment, findFolders } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import type { Runner } from "../sessions/runner.ts";
import { createClaudeRunner } from "../sessions/runners/claude/create-claude-runner.ts";
import { withVariables } from "./runner-variables.ts";

export function openClaudeRunner(name: string, settings: RunnerSettings, env: Environment): Runner {
  const { title, model, system, executable } = settings;
  // The one folder besides toolgate's own whose files no agent may change.
  const lookIn = [findFolders(env).data];
  return withVariables(settings.env, env, (variables) =>
    createClaudeRunner({ name, title, model, system, executable, lookIn, env: variables }),
  );
}
