/** The coding agents that toolgate knows. The hook's entry loads this, so it imports nothing but adapters. */
import type { JsonObject } from "../core/input/json.ts";
import type { AgentAdapter, AgentPlace, PluginRoutes, Variables } from "./agent.ts";
import type { HookAgent } from "./agent-hook.ts";
import { claudeCode } from "./claude-code/agent.ts";
import { cline } from "./cline/agent.ts";
import { codex } from "./codex/agent.ts";
import { copilot } from "./copilot/agent.ts";
import { crush } from "./crush/agent.ts";
import { cursor } from "./cursor/agent.ts";
import { droid } from "./droid/agent.ts";
import { gemini } from "./gemini/agent.ts";
import { grok } from "./grok/agent.ts";
import { kilo } from "./kilo/agent.ts";
import { kimi } from "./kimi/agent.ts";
import { opencode } from "./opencode/agent.ts";
import { pi } from "./pi/agent.ts";
import { qoder } from "./qoder/agent.ts";
import { qwen } from "./qwen/agent.ts";
import { vscode } from "./vscode/agent.ts";
import { windsurf } from "./windsurf/agent.ts";

export const allAgents: readonly AgentAdapter[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  grok,
  droid,
  kimi,
  opencode,
  kilo,
  cline,
  pi,
  cursor,
  windsurf,
  vscode,
  crush,
  qoder,
];

export const agentNames = allAgents.map(({ name }) => name);

/** The agent that is meant where nobody names one. */
export const [firstAgent = claudeCode] = allAgents;

export function findAgent(name: string | undefined): AgentAdapter | undefined {
  return allAgents.find((agent) => agent.name === name);
}

/** Undefined: nobody in particular asks, in the bare form. */
export async function openAgent(agent: AgentAdapter | undefined): Promise<HookAgent> {
  if (agent === undefined) return (await import("./neutral/hook.ts")).neutral;
  return { ...agent, ...(await agent.loadHook()) };
}

/** The agent that sent a call through an entry in the settings of another one. */
export async function findSpeaker(call: JsonObject): Promise<HookAgent | undefined> {
  const speaker = allAgents.find((agent) => agent.sends?.(call) === true);
  return speaker === undefined ? undefined : openAgent(speaker);
}

/** The rule files that plugins of agents bring along. Whichever agent asks, the same rules hold. */
export async function findAgentRoutes(place: AgentPlace): Promise<PluginRoutes> {
  const parts = await Promise.all(allAgents.map((agent) => agent.loadRoutes?.()));
  const found = parts.flatMap((part) => (part === undefined ? [] : [part.findRoutes(place)]));
  return {
    files: found.flatMap(({ files }) => files),
    inputs: found.flatMap(({ inputs }) => inputs),
    notes: found.flatMap(({ notes }) => notes),
  };
}

/** Choose which files of agents are read. */
export const agentVariables: readonly string[] = allAgents.flatMap(({ variables }) => variables);

/** Say who asks and whether somebody sits there: they choose no files. */
export const promptVariables: readonly string[] = allAgents.flatMap(({ promptVariables: own = [] }) => own);

/** Without what an agent's session says about itself: not for a command or a server that it started. */
export function withoutSession(env: Variables): Variables {
  const ofSessions = [...allAgents.flatMap(({ sessionVariables }) => sessionVariables), ...promptVariables];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ofSessions.includes(name)));
}

/** The shell in which an agent runs commands: its own choice, else the user's, which most agents take. */
export function agentShell(env: Variables): string | undefined {
  const own = allAgents.map(({ shellVariable = "" }) => env[shellVariable]);
  return own.find((shell) => shell !== undefined) ?? env.SHELL;
}
