/** The section `sessions` of a configuration file: which agents the gate runs, where, and how many. */
import { byName, choice, count, duration, flag, named, section, text } from "../../core/input/shape.ts";
import { acpKinds } from "../../core/tool/acp-kinds.ts";
import type { SettingsOf } from "./read-section.ts";

const word = { minLength: 1 } as const;
const texts = (description: string, example: readonly string[]) =>
  ({ type: "array", description, items: { type: "string", minLength: 1 }, examples: [example] }) as const;

/** Which keys go with which type; `type` itself and `title` go with all. */
export const runnerKeys = {
  chat: ["api", "base_url", "model", "key_env", "key_file", "system", "max_tokens", "context_tokens"],
  claude: ["model", "system", "executable", "env"],
  acp: [
    "command",
    "env",
    "env_pass",
    "auth_method",
    "ungated",
    "unasked",
    "title_is_command",
    "judge_by_kind",
    "id_names_tool",
    "client_tools",
  ],
} as const;

/** `checkRunners` says what a schema cannot: what goes with which type. */
export const runnerShape = {
  type: "object",
  description: "An agent that sessions can run.",
  properties: {
    type: choice(
      ["chat", "claude", "acp"],
      "chat: a model, called by toolgate itself. claude: the Claude Agent SDK. acp: a program that speaks the Agent Client Protocol.",
    ),
    title: text("What lists show.", named),
    model: text("chat, claude: which model, unless the session names one.", named),
    api: choice(["anthropic", "openai"], "chat: Messages, or chat completions."),
    base_url: text("chat: where the API is, without /v1/messages or /chat/completions.", {
      ...word,
      maxLength: 2_000,
      examples: ["https://api.anthropic.com", "http://127.0.0.1:11434/v1"],
    }),
    key_env: text("chat: the environment variable that holds the key. Keys do not belong into this file.", {
      ...named,
      examples: ["ANTHROPIC_API_KEY"],
    }),
    key_file: text("chat: or the file that holds it: absolute, relative to this file or below ~/.", {
      ...word,
      examples: ["~/.config/keys/model"],
    }),
    system: text("chat, claude: what the model is told first.", word),
    max_tokens: count(1, "chat: of one answer."),
    context_tokens: count(
      1_000,
      "chat: how much the model reads at most; old tool results are left out then.",
    ),
    executable: text("claude: the program of Claude Code, instead of the SDK's own.", word),
    command: {
      ...texts("acp: the program and its arguments.", ["gemini", "--experimental-acp"]),
      minItems: 1,
    },
    env: byName(
      { type: "string" },
      `acp, claude: variables for it; \${NAME} stands for one of toolgate's own.`,
      {
        examples: [{ GEMINI_API_KEY: `\${GEMINI_API_KEY}` }],
      },
    ),
    env_pass: texts("acp: names of variables to hand over as they are.", ["GEMINI_API_KEY"]),
    auth_method: text("acp: the way to log in when a session starts, by its id.", named),
    ungated: choice(
      ["end", "tell"],
      "acp: what a call does that the agent made without asking: end the turn, or be told only.",
      { default: "end" },
    ),
    unasked: texts("acp: tools that do nothing and may run unasked, by the agent's names.", ["invalid"]),
    title_is_command: flag("acp: the title of a call that executes is the whole command.", {
      default: false,
    }),
    judge_by_kind: {
      type: "array",
      description:
        "acp: kinds of calls that are judged as such where the agent does not say what they are about.",
      items: { enum: acpKinds },
      examples: [["search"]],
    },
    id_names_tool: flag("acp: the agent begins the id of each call with the name of its tool and __.", {
      default: false,
    }),
    client_tools: flag("acp: offer files and terminals to the agent as tools of the gate.", {
      default: false,
    }),
  },
  required: ["type"],
  additionalProperties: false,
} as const;

export const sessionsShape = section(
  {
    roots: texts(
      "Folders that sessions may work in: absolute, relative to this file or below ~/. By default the project that serve was started in.",
      ["~/projects"],
    ),
    max_running: count(1, "Turns that run at the same time; others wait.", { default: 20 }),
    max_per_owner: count(1, "Sessions of one caller that are at work.", { default: 100 }),
    idle: duration(0, "How long an agent that has nothing to do keeps its process, in ms.", {
      default: "10m",
    }),
    default_runner: text("For sessions that name none.", named),
    runners: byName(runnerShape, "Agents by name, besides those that toolgate finds by itself."),
  },
  "Agents that the gate runs itself. Only in files of the user and the administrator.",
);

export type SessionSettings = SettingsOf<typeof sessionsShape>;
export type RunnerSettings = NonNullable<SessionSettings["runners"]>[string];
