/** The part of an agent's adapter that sets the agent up and examines it. `doctor` starts the programs. */
import type { JsonObject } from "../core/input/json.ts";
import type { AgentPlace } from "./agent.ts";
import type { AgentClient, ClientProgram } from "./agent-client.ts";
import type { ForeignServer } from "./mcp-servers/foreign-server.ts";
import type { SetupFinding } from "./setup-finding.ts";

export interface AgentSetup {
  readonly abilities: AgentAbilities;
  /** Where it can be installed, the usual one first. */
  readonly scopes: readonly SetupScope[];
  /** By which one sees that the agent is on a machine. */
  readonly signs: MachineSigns;
  install(request: InstallRequest): SetupResult;
  uninstall(request: SetupRequest): SetupResult;
  /** What the agent still wants to be told before it starts what was installed. Undefined: nothing. */
  trust?(request: SetupRequest): TrustStep | undefined;
  /** Everything that can be seen in the agent's files about whether it really asks toolgate. */
  examine(place: ProjectPlace): CheckedSetup;
  /** Files of the project that the agent acts on, if the person has never told it to trust the folder. */
  findUntrusted(place: ProjectPlace): readonly string[];
  /** The MCP servers that the agent starts or reaches by itself. */
  findServers(place: ProjectPlace): readonly ForeignServer[];
  /** The commands that take over one of these servers, and take it from the agent. Absent: by hand. */
  readonly serverCommands?: { take(name: string): string; remove(name: string): string };
  /** A hook entry of the agent as toolgate tries it out. */
  readonly hookTrial: HookTrial;
  /** The agent's own program, where it can be asked and tried offline. */
  readonly client?: AgentClient;
}

/** What the agent lets a hook do. `measured`: which version was seen to do it; absent: by its documentation. */
export interface AgentAbilities {
  readonly measured?: string;
  /** How a call is refused: the model reads our text, only the person does, or the whole run ends. */
  readonly deny: "told" | "silent" | "ends the run";
  /** Who asks a person: the agent's own prompt, or only toolgate's queue. */
  readonly ask: "own prompt" | "queue";
  readonly contextBefore: boolean;
  readonly contextAfter: boolean;
  /** A changed input is taken. Else the call is denied, with what to run instead. */
  readonly rewrite: boolean;
  /** The agent names each call by the model's own id of it. */
  readonly callId: boolean;
  /** Calls of sub-agents come to the hook. `none`: the agent has no sub-agents. */
  readonly subAgents: "hooked" | "not hooked" | "none" | "not tried";
  /** What the agent does with a call whose hook crashes, hangs or prints nonsense. */
  readonly onHookFailure: "denies" | "runs the call";
  /** What the hook cannot see or stop, one line each, for people. */
  readonly holes: readonly string[];
}

/** One of them is enough. */
export interface MachineSigns {
  /** Names on the PATH. */
  readonly programs: readonly string[];
  /** Folders that it makes for itself. */
  folders(place: AgentPlace): readonly string[];
}

/** An agent that skips hooks which nobody has approved. Only a person says yes to it. */
export interface TrustStep {
  /** "Trust toolgate's hooks in Codex?" */
  readonly question: string;
  /** What a yes does: which file gets what. */
  readonly does: string;
  /** What is missing without it, and how the person does it in the agent itself. */
  readonly otherwise: string;
  run(tools: TrustTools): Promise<TrustEnd>;
}

export interface TrustTools {
  /** The agent's own program, if it has a `client` and is found on the machine. */
  readonly client: ClientProgram | undefined;
  readonly signal: AbortSignal;
}

export type TrustEnd =
  | { readonly ok: true; readonly files: readonly FileChange[] }
  | { readonly ok: false; readonly message: string };

/** `user`: all sessions. `project`: everybody's in the project. `local`: one's own in the project. */
export type SetupScope = "user" | "project" | "local";

export interface ProjectPlace extends AgentPlace {
  readonly projectDir: string;
}

export interface SetupRequest extends ProjectPlace {
  readonly scope: SetupScope;
  /** Say what would happen, write nothing. */
  readonly dryRun?: boolean;
  /** What earlier installations did to which file. Absent: nobody knows. */
  readonly memory?: SetupMemory;
}

/** Kept beside the copies of the hook, by the real name of the settings file. */
export interface SetupMemory {
  recall(file: string): SettingsChange | undefined;
  /** Undefined: nothing of ours is in the file any more. */
  remember(file: string, change: SettingsChange | undefined): void;
}

/** What was put into a settings file, so that it can be taken out to the byte. */
export interface SettingsChange {
  /** The digest of the whole text as it was left. */
  readonly after: string;
  /** How much of the text before it is from before, how much of the end, and what was there instead. */
  readonly start: number;
  readonly end: number;
  readonly replaced: string;
  /** What is there now. Absent: an older toolgate wrote it down. */
  readonly put?: string;
  /** There was no such file. */
  readonly wasMissing: boolean;
  /** The topmost folder that had to be made for it. */
  readonly madeFolder?: string;
}

export interface InstallRequest extends SetupRequest {
  /** Where the hook lies in the package. */
  readonly bundle: string;
  /** Where its copy lies, which stays when the package goes. Absent: there is none. */
  readonly copy?: string;
  /** The unguessable word for a new line; a line that is there keeps its own. Absent: one is made. */
  readonly key?: string;
  /** The node that runs this command. */
  readonly execPath: string;
  /** Despite the plugin. */
  readonly force?: boolean;
  /** Always a process, also when a server runs. */
  readonly withoutScript?: boolean | undefined;
}

export type SetupResult =
  | {
      readonly ok: true;
      /** Every file that was looked at, changed or not. With `dryRun`: what would be done. */
      readonly files: readonly FileChange[];
      /** The line that the agent will start. */
      readonly command?: string;
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export interface FileChange {
  /** As the agent names it; links are followed when it is written. */
  readonly file: string;
  readonly change: "none" | "made" | "changed" | "removed";
  /** The lines that come and those that go. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface CheckedSetup {
  readonly findings: readonly SetupFinding[];
  /** Notes of `findRoutes` that the findings say in other words. */
  readonly covered: readonly string[];
  /** What would be started before each call. */
  readonly installed: readonly InstalledHook[];
}

/** A hook as the agent would start it. */
export interface InstalledHook {
  readonly file: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What the agent sets for a command. */
  readonly variables: Readonly<Record<string, string>>;
  /** Program and arguments; undefined where a shell does more than start a program. */
  readonly words: readonly string[] | undefined;
}

export interface HookTrial {
  /** What the agent would send before a call of this tool. */
  call(tool: string, input: JsonObject, cwd: string): string;
  /** The reason of a denial in the agent's own form; undefined: the answer is no denial. */
  refusalIn(stdout: string): string | undefined;
  /** How rules name the tool that `call` was given, where the agent has no calls of any tool. */
  ruleTool?(tool: string): string;
  /** What the agent hears where no rule speaks, if it takes nothing for a failure. Absent: nothing. */
  readonly noObjection?: string;
}
