/** What one agent is started with: which tools it has, who decides about its calls, and nothing of the folder's own settings. */
import type { RunnerSession } from "../../runner.ts";
import { defaultTurns } from "../../turn-budget.ts";
import { type OwnCalls, onlyOurs } from "./decide-calls.ts";
import { agentEnvironment } from "./environment.ts";
import { type gateServer, serverName, toolPrefix } from "./gate-server.ts";
import type { SdkOptions, SpawnedProcess, SpawnOptions } from "./sdk.ts";

export interface QueryParts {
  readonly session: RunnerSession;
  readonly model: string | undefined;
  readonly system: string | undefined;
  readonly executable: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly server: ReturnType<typeof gateServer> | undefined;
  readonly own: OwnCalls;
  readonly spawn: (options: SpawnOptions) => SpawnedProcess;
  /** The agent's own name of the session to go on with. */
  readonly resume: string | undefined;
}

/** A person may think for long; the gate has its own end for that. */
const decideSeconds = 7 * 24 * 3_600;

export function queryOptions(parts: QueryParts): SdkOptions {
  const { session, model, executable, env, resume, spawn } = parts;
  const wanted = session.model ?? model;
  return {
    cwd: session.cwd,
    env: agentEnvironment(env),
    ...(wanted !== undefined && { model: wanted }),
    ...(resume !== undefined && { resume }),
    ...(executable !== undefined && { pathToClaudeCodeExecutable: executable }),
    maxTurns: session.budget.turns ?? defaultTurns,
    includePartialMessages: true,
    // Settings of the folder could bring hooks, servers and permissions that nobody here has looked at.
    settingSources: [],
    strictMcpConfig: true,
    // Otherwise `@path` in a prompt reads a file past the gate, and `/name` is a command of the client.
    verbatimPrompts: true,
    permissionMode: "default",
    spawnClaudeCodeProcess: spawn,
    ...(session.offer === "agent" ? ownTools(parts) : gateTools(parts)),
  };
}

/** The gate is the only executor. */
function gateTools({ session, server, system }: QueryParts): SdkOptions {
  return {
    tools: [],
    mcpServers: server === undefined ? {} : { [serverName]: server },
    allowedTools: session.calls.tools().map(({ wireName }) => toolPrefix + wireName),
    systemPrompt: joined(basics(session), system, session.system),
    hooks: { PreToolUse: [deciding(onlyOurs)] },
  };
}

function ownTools({ session, system, own }: QueryParts): SdkOptions {
  const append = joined(session.mode === "plan" ? planning : undefined, system, session.system);
  return {
    systemPrompt: { type: "preset", preset: "claude_code", ...(append !== "" && { append }) },
    // Nobody sits at this agent whom it could ask.
    disallowedTools: ["AskUserQuestion"],
    canUseTool: own.mayRun,
    hooks: {
      PreToolUse: [deciding(own.before)],
      PostToolUse: [{ hooks: [own.after] }],
      PostToolUseFailure: [{ hooks: [own.after] }],
    },
  };
}

function deciding(hook: OwnCalls["before"]) {
  return { hooks: [hook], onFailure: "block", timeout: decideSeconds };
}

const planning = "You are in plan mode: you may read, and every call that would change something is refused.";

function basics({ cwd, mode, offer }: RunnerSession): string {
  const tools =
    offer === "none"
      ? "You have no tools."
      : "You act only by the tools that you are given. Each call is decided by rules and, where they say so, by a person; when a call is refused, read why and go on without it.";
  const plan = mode === "plan" ? ` ${planning}` : "";
  return `You are an agent that works in the folder ${cwd} for the person who writes to you. ${tools}${plan}`;
}

function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text.trim() !== "").join("\n\n");
}
