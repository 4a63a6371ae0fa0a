/** The runner `chat` as the configuration sets it up: where its model is, and where its key comes from. */

import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import type { Runner } from "../sessions/runner.ts";
import { createChatRunner } from "../sessions/runners/chat/chat-runner.ts";
import { createSecretReader } from "./read-secret.ts";

const usualPlaces = { anthropic: "https://api.anthropic.com", openai: "https://api.openai.com/v1" } as const;

export function openChatRunner(name: string, settings: RunnerSettings, env: Environment): Runner {
  const { api = "anthropic", title, model, system, maxTokens, contextTokens } = settings;
  const { baseUrl = usualPlaces[api], keyEnv, keyFile } = settings;
  return createChatRunner({
    ...{ name, title, api, baseUrl, model, system, maxTokens, contextTokens },
    key: createSecretReader({ variable: keyEnv, file: keyFile }, env),
  });
}
