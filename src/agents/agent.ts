/**
 * The port to a coding agent. An agent is one folder of its name, whose `agent.ts` holds this adapter, and
 * one line in `all-agents.ts`. The adapter is small and always loaded; its parts are loaded when they are
 * used.
 */
import type { JsonObject } from "../core/input/json.ts";
import type { AgentHook } from "./agent-hook.ts";
import type { AgentSetup } from "./agent-setup.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface AgentAdapter {
  /** In commands, routes and records: `claude-code`. */
  readonly name: string;
  /** As people call it: `Claude Code`. */
  readonly title: string;
  /** The variable in which the agent tells its hooks the folder of the project. */
  readonly projectVariable?: string;
  /** It starts its hooks in the folder of the session; the folder that a call names is the command's own. */
  readonly startsInProject?: true;
  /** The variables that choose which of its files are read: part of the key under which rules are kept. */
  readonly variables: readonly string[];
  /** Those of `variables` that speak of one session. A person's command, and a server, ignore them. */
  readonly sessionVariables: readonly string[];
  /** By which a hook knows that it is this agent that asks, and whether somebody sits there: not for rules. */
  readonly promptVariables?: readonly string[];
  /** The variable that names the shell in which the agent runs commands, where that is not `SHELL`. */
  readonly shellVariable?: string;
  /** Other agents start what stands in its settings, and send calls in their own form. */
  readonly isReadByOthers?: boolean;
  /** Whether such a call, from an entry that names another agent, is one of this agent. */
  sends?(call: JsonObject): boolean;
  /** The agent can ask us for permission by calling an MCP tool. */
  readonly asksByMcpTool?: boolean;
  /**
   * The denial on standard output, for a hook process in which something broke: JSON with the reason as a text in
   * it, or nothing. The build keeps it for the entry, which needs no import: what broke may be what it would need.
   * The reason also goes to standard error, and the process ends with the blocking exit code.
   */
  lastWords(reason: string): string;
  /** What a call needs. In the build each is a file: the process of a hook loads only that of its agent. */
  loadHook(): Promise<AgentHook>;
  /** For an agent whose plugins may bring rule files. */
  loadRoutes?(): Promise<{ readonly findRoutes: FindRoutes }>;
  /** Install, uninstall and doctor. Never part of the hook's process. */
  loadSetup(): Promise<AgentSetup>;
}

/** Where an agent looks for its files. */
export interface AgentPlace {
  readonly home: string;
  readonly env: Variables;
  readonly projectDir: string | undefined;
  /** Where an administrator's settings are; only tests move it. */
  readonly managedDir?: string;
}

/** Never throws, whatever the agent's files hold. */
export type FindRoutes = (place: AgentPlace) => PluginRoutes;

export interface PluginRoutes {
  /** In the order in which they are tried; each file once, links followed. */
  readonly files: readonly { readonly file: string; readonly plugin: string }[];
  /** Every path that was looked at, found or not: while none changes, looking again finds the same. */
  readonly inputs: readonly string[];
  /** What was expected and is not there, or cannot be read. */
  readonly notes: readonly string[];
}
