/**
 * A real agent, as the shared checks (shared-checks.ts) run it: how it is installed, sent to the scripted model, started without a person,
 * and what its calls look like. What it can do is not said here but in the abilities of its adapter: they decide what is expected.
 *
 * A new agent is `real/<name>.ts` with such a row (which loads nothing of vitest: `npm run test:agents` reads it to install the agents), `real/<name>.agents.test.ts` with `checkRealAgent(row)`, and a line in real-agents.ts.
 */
import type { ModelRequest, ScriptedCall } from "../../../src/testing/index.ts";
import type { Installed, NpmPackage } from "../npm-package.ts";
import type { Workbench } from "../workbench.ts";

export interface RealAgent {
  /** The adapter's. */
  readonly name: string;
  /** Everything the checks say was seen with exactly this version. */
  readonly package: NpmPackage;
  /** The program, if it is installed and asked for. */
  find(): string | undefined;
  /** Downloads it unless it is there. `problem`: the checks are skipped, and this is printed. */
  install(): Promise<Installed>;
  /** What it needs in its environment beside HOME, PATH and LANG: no telemetry, no updates, no account. */
  variables(home: string): Readonly<Record<string, string>>;
  /** Writes into the scratch home and project what makes it ask this model and start these servers. The hook is installed after it. */
  configure(bench: Workbench, world: AgentWorld): void | Promise<void>;
  /** How the hook gets in, and what of it can be broken. Absent: by `toolgate install <name>`. */
  readonly hook?: HookInstallation;
  /** One session without a person that may do everything: only the hook stands in the way. */
  command(prompt: string, world: AgentWorld): AgentCommand;
  readonly calls: AgentCalls;
  /** Asked beside the conversation, such as a title for it: answered with a word. Absent: what offers the model no tools. */
  isAside?(request: ModelRequest): boolean;
  /** Calls of the matrix that it refuses before any hook hears of them, by their names, each with a part of its words. */
  readonly refusesItself?: Readonly<Record<string, string>>;
  /** How long one session may take. Absent: two minutes. */
  readonly timeoutMs?: number;
  /** Ends what the agent leaves behind and does not carry the scratch home in its environment (those are ended anyway). */
  cleanUp?(bench: Workbench): void | Promise<void>;
}

export interface AgentWorld {
  /** Such as `http://127.0.0.1:41234`, without a path. It speaks every dialect. */
  readonly modelUrl: string;
  /** By name. Empty: none. */
  readonly mcpServers: Readonly<Record<string, StdioServer>>;
}

export interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
}

export interface AgentCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What the scripted model has to say, so that the agent does this. Paths are absolute; commands run in the project. */
export interface AgentCalls {
  shell(command: string): ScriptedCall;
  write?(path: string, content: string): ScriptedCall;
  read?(path: string): ScriptedCall;
  fetch?(url: string): ScriptedCall;
  /** Its input is always empty. */
  mcp?(server: string, tool: string): ScriptedCall;
  /** Starts a sub-agent whose first message holds the prompt, and waits for its end. */
  subAgent?(prompt: string): ScriptedCall;
  /** Waits for its end where starting it does not, by what the model was told when it was started. */
  waitForSubAgent?(started: string): ScriptedCall;
  /** The fields of `shell` by which a rule makes another command of it. Absent: `{ command }`. */
  rewriteShell?(command: string): Readonly<Record<string, unknown>>;
}

/** Ways in which a hook can fail; the checks choose one before each call. */
export const hookFaults = ["crashes", "is killed", "hangs", "prints nonsense", "is gone"] as const;

export type HookFault = (typeof hookFaults)[number];

export interface HookInstallation {
  /** Options of `toolgate install`, such as the explicit yes to what the agent trusts by hash. */
  readonly options?: readonly string[];
  /** Until `toolgate install` knows the agent. */
  readonly install?: (bench: Workbench) => void | Promise<void>;
  /** Makes the agent, and what is installed in it, wait for about two seconds instead of minutes. */
  readonly shortenWaits?: (bench: Workbench) => void;
  /** Breaks what is installed; undefined: makes it whole again. Absent: the copy of the hook's process, as `toolgate install` lays it down. */
  readonly breakHook?: (bench: Workbench, fault: HookFault | undefined) => void;
}
