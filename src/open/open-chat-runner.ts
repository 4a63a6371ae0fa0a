/** The runner `chat` as the configuration sets it up: where its model is, and where its key comes from. */

import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import { ToolgateError } from "../core/call/errors.ts";
import { readSmallFile } from "../safe/files/small-file.ts";
import type { Runner } from "../sessions/runner.ts";
import { createChatRunner } from "../sessions/runners/chat/chat-runner.ts";

const usualPlaces = { anthropic: "https://api.anthropic.com", openai: "https://api.openai.com/v1" } as const;
const maxKeyBytes = 16 * 1024;

export function openChatRunner(name: string, settings: RunnerSettings, env: Environment): Runner {
  const { api = "anthropic", title, model, system, maxTokens, contextTokens } = settings;
  const { baseUrl = usualPlaces[api] } = settings;
  return createChatRunner({
    ...{ name, title, api, baseUrl, model, system, maxTokens, contextTokens },
    key: keyOf(settings, env),
  });
}

/** Read whenever it is needed: a key can be changed while the server runs. */
function keyOf(
  { keyEnv, keyFile }: RunnerSettings,
  env: Environment,
): (() => string | undefined) | undefined {
  if (keyEnv !== undefined)
    return () => {
      const key = env[keyEnv];
      if (key?.trim()) return key;
      throw new ToolgateError(`the environment variable ${keyEnv} is not set.`);
    };
  if (keyFile === undefined) return undefined;
  return () => {
    const read = readSmallFile(keyFile, maxKeyBytes);
    if (typeof read === "object") return read.text;
    throw new ToolgateError(`${keyFile}: ${whyNot[read]}`);
  };
}

const whyNot = {
  missing: "there is no such file.",
  odd: "it is no plain file.",
  "too large": `a key has no more than ${maxKeyBytes} bytes.`,
  closed: "it may not be read.",
} as const;
