/** Makes the runners that sessions have: those of the configuration, and those that are found without any. */
import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import type { Runner } from "../sessions/runner.ts";
import { openChatRunner } from "./open-chat-runner.ts";

type Made = (name: string, settings: RunnerSettings, env: Environment) => Runner;

const makers: Partial<Record<RunnerSettings["type"], Made>> = { chat: openChatRunner };

export function createRunners(
  configured: Readonly<Record<string, RunnerSettings>>,
  env: Environment,
): readonly Runner[] {
  return Object.entries(configured).flatMap(([name, settings]) => {
    const make = makers[settings.type];
    return make === undefined ? [] : [make(name, settings, env)];
  });
}
