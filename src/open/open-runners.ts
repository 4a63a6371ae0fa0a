/** Makes the runners that sessions have: those of the configuration, and those that are found without any. */
import type { Environment } from "../config/folders.ts";
import type { RunnerSettings } from "../config/settings/session-settings.ts";
import { ToolgateError } from "../core/call/errors.ts";
import type { Runner } from "../sessions/runner.ts";
import { openAcpRunner } from "./open-acp-runner.ts";
import { openChatRunner } from "./open-chat-runner.ts";
import { openClaudeRunner } from "./open-claude-runner.ts";

type Make = (name: string, settings: RunnerSettings, env: Environment) => Runner;

const makers: Partial<Record<RunnerSettings["type"], Make>> = {
  acp: openAcpRunner,
  chat: openChatRunner,
  claude: openClaudeRunner,
};

/** Throws a ToolgateError for one that cannot be made as it is configured. */
export function createRunners(
  configured: Readonly<Record<string, RunnerSettings>>,
  env: Environment,
): readonly Runner[] {
  const wanted = { ...configured, ...foundRunners(env, configured), ...configured };
  return Object.entries(wanted).flatMap(([name, settings]) => {
    const make = makers[settings.type];
    return make === undefined ? [] : [make(name, settings, env)];
  });
}

/** Without a word in the configuration: what the environment has keys for, and Claude. */
function foundRunners(
  env: Environment,
  configured: Readonly<Record<string, RunnerSettings>>,
): Record<string, RunnerSettings> {
  if (Object.hasOwn(configured, "chat")) return { claude: { type: "claude" } };
  const chat: RunnerSettings | undefined = env.ANTHROPIC_API_KEY
    ? {
        type: "chat",
        api: "anthropic",
        keyEnv: "ANTHROPIC_API_KEY",
        baseUrl: addressIn(env, "ANTHROPIC_BASE_URL") ?? anthropicUrl,
        ...(env.ANTHROPIC_MODEL && { model: env.ANTHROPIC_MODEL }),
      }
    : env.OPENAI_API_KEY
      ? {
          type: "chat",
          api: "openai",
          keyEnv: "OPENAI_API_KEY",
          baseUrl: addressIn(env, "OPENAI_BASE_URL") ?? openaiUrl,
          ...(env.OPENAI_MODEL && { model: env.OPENAI_MODEL }),
        }
      : undefined;
  return { claude: { type: "claude" }, ...(chat && { chat }) };
}

function addressIn(env: Environment, name: string): string | undefined {
  const url = env[name];
  if (!url) return undefined;
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
  throw new ToolgateError(
    `The environment variable ${name} is no address that begins with http:// or https://.`,
  );
}

const anthropicUrl = "https://api.anthropic.com";
const openaiUrl = "https://api.openai.com/v1";
