/** The runner `chat`: a model behind any endpoint that speaks Anthropic Messages or OpenAI chat completions. */
import { randomBytes } from "node:crypto";
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { type Agent, type Runner, RunnerError, type RunnerSession } from "../../runner.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { ChatAgent } from "./chat-agent.ts";
import { ChatContext } from "./chat-context.ts";
import { type ModelApi, wireForm } from "./model-api.ts";
import { ModelClient } from "./model-client.ts";
import { openaiChat } from "./openai-chat.ts";
import { readHistory } from "./read-history.ts";

export interface ChatRunnerOptions {
  /** What a session asks for. Default: `chat`. */
  readonly name?: string | undefined;
  /** What lists show. Default: the model, and where it is. */
  readonly title?: string | undefined;
  readonly api: "anthropic" | "openai";
  /** Such as `https://api.anthropic.com` or `http://127.0.0.1:11434/v1`. Redirects are not followed. */
  readonly baseUrl: string;
  /** For sessions that name none. */
  readonly model?: string | undefined;
  /** Asked before every request, so that it can be changed. Undefined: the endpoint wants none. */
  readonly key?: (() => string | undefined) | undefined;
  /** Told to every session before what its owner says. Default: a few lines about the folder and the rules. */
  readonly system?: string | undefined;
  /** Of one answer. Default: 8192 for Anthropic, which wants a number; otherwise what the endpoint takes. */
  readonly maxTokens?: number | undefined;
  /** What the conversation may grow to before old results of tools are left out. Default: 100,000. */
  readonly contextTokens?: number | undefined;
  /** Whether the model sees pictures in results. Default: yes, until the endpoint refuses them. */
  readonly images?: boolean | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further fields of every request, such as `{ temperature: 0 }`. */
  readonly parameters?: JsonObject | undefined;
  /** How often a request that brought nothing is sent again. Default: 4. */
  readonly retries?: number | undefined;
  /** The longest wait before such a try. An endpoint that asks for more has failed. Default: 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** How long an endpoint may send nothing. Default: 300,000. */
  readonly silenceMs?: number | undefined;
}

const apis: Readonly<Record<string, ModelApi>> = { anthropic: anthropicMessages, openai: openaiChat };

/** Throws a ToolgateError if an option cannot be right. */
export function createChatRunner(options: ChatRunnerOptions): Runner {
  const { name = "chat", baseUrl, model, headers = {}, key = () => undefined } = options;
  const api = Object.hasOwn(apis, options.api) ? apis[options.api] : undefined;
  if (api === undefined) throw new ToolgateError('chat: api must be "anthropic" or "openai".');
  const {
    retries = 4,
    maxWaitMs = 60_000,
    silenceMs = 300_000,
    contextTokens = 100_000,
    maxTokens,
  } = options;
  checkNumbers({ maxWaitMs, silenceMs, contextTokens, maxTokens, retries: retries + 1 });
  const client = new ModelClient({ api, baseUrl, key, headers, retries, maxWaitMs, silenceMs });

  const learned = new Set<string>();

  async function open(session: RunnerSession): Promise<Agent> {
    const asked = session.model ?? model;
    if (asked === undefined)
      throw new RunnerError(
        "runner_missing",
        `The runner ${name} has no model: name one with --model NAME or in the runner's settings; without settings, set ${options.api === "anthropic" ? "ANTHROPIC_MODEL" : "OPENAI_MODEL"}.`,
      );
    const context = new ChatContext(api as ModelApi, options.images ?? true);
    const wireNames = new Map(session.calls.tools().map((tool) => [tool.id, tool.wireName]));
    const history = readHistory(await session.history(), (tool) => wireNames.get(tool) ?? wireForm(tool));
    for (const message of history) context.add(message);
    return new ChatAgent({
      session,
      api: api as ModelApi,
      client,
      context,
      usedIds: history.flatMap((message) =>
        message.role === "results" ? message.results.map(({ id }) => id) : [],
      ),
      newId: () => randomBytes(9).toString("base64url"),
      model: asked,
      system: systemOf(options.system, session),
      maxTokens,
      contextTokens,
      learned,
      parameters: options.parameters ?? {},
    });
  }

  return {
    name,
    title: options.title ?? `${model ?? "a model"} at ${client.host} (${api.title})`,
    offers: ["gate", "none"],
    explainMissing() {
      if (options.key === undefined) return undefined;
      try {
        return key()?.trim() ? undefined : `The key of the runner ${name} (${client.host}) is not set.`;
      } catch (error) {
        return `The key of the runner ${name} (${client.host}) cannot be read: ${messageOf(error)}`;
      }
    },
    open,
  };
}

function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0 && value < 2 ** 31))
      throw new ToolgateError(`chat: ${name} must be a whole number, and not below its least.`);
}

function systemOf(own: string | undefined, { system, cwd, offer }: RunnerSession): string {
  const about =
    offer === "none"
      ? ""
      : `You work in the folder ${cwd}. Every call of a tool is judged by rules first: a call that is refused says why. Then find another way, or tell the person what you need.`;
  return [own ?? about, system ?? ""].filter((part) => part.trim() !== "").join("\n\n");
}
