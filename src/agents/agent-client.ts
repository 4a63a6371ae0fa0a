/**
 * An agent's own program, as `doctor` tries it: started without a person and without a network, against a model
 * on loopback that we play and that makes one forbidden call. What the program then tells this model counts.
 *
 * The contract: nothing of the person's is written, and no model but ours is asked. There are two ways.
 * - The program takes another model by variables or options and keeps nothing: it runs in the person's home.
 * - Else it runs in a home of its own: `session` reads the person's files and says which `files` lie in the trial's
 *   folder (`home/.agent/settings.json`: their hooks as they are, our model, no servers, no account), and sets HOME
 *   or the agent's own variable for its folder in `env`. What is copied is what is tried: copy as much as possible.
 */
import type { JsonObject } from "../core/input/json.ts";
import type { ProjectPlace } from "./agent-setup.ts";
import type { SetupFinding } from "./setup-finding.ts";

export interface AgentClient {
  /** Its name on the PATH. `--version` prints its version. */
  readonly program: string;
  /** Variables of the person's that it needs to find its files. */
  readonly inherits: readonly string[];
  /** Where a person looks when it does what a rule forbids. */
  readonly ownDiagnosis: string;
  /** So that it asks nobody for updates and reports nothing. */
  readonly quiet: Readonly<Record<string, string>>;
  /** What it says of its files. `isTrusted`: some of its commands start programs that the project names. */
  ask?(client: ClientProgram, isTrusted: boolean): Promise<SetupFinding[]>;
  /** Calls that do no harm, the most telling one first. The first whose tool the model is offered is made. */
  trialCalls(folder: string, word: string): readonly TrialCall[];
  session(trial: ClientTrial): TrialSession;
}

export interface TrialCall {
  /** As the model names it. */
  readonly tool: string;
  readonly namespace?: string;
  /** It holds the word. A text: for a tool that takes one. */
  readonly input: JsonObject | string;
  /** As a rule names it, where that differs. */
  readonly ruleTool?: string;
  /** The field that holds the word. Absent: command, URL or path. */
  readonly field?: string;
  /** A file in the trial's folder that is there if the call ran; absent: the call leaves nothing. */
  readonly leaves?: string;
}

export interface ClientTrial {
  readonly prompt: string;
  /** Such as `http://127.0.0.1:41234`, without a path: it speaks Anthropic's, OpenAI's and Gemini's protocols. */
  readonly modelUrl: string;
  /** Leads our hook to the rules of the trial: has to reach it, so it belongs into the program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Empty but for `config`, `state`, `cache` and `project`; removed afterwards. */
  readonly folder: string;
  /** Where the person's files are, to read. */
  readonly place: ProjectPlace;
}

export interface TrialSession {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the project's folder. */
  readonly cwd?: string;
  /** Put there before it starts. */
  readonly files?: readonly TrialFile[];
  /** Command lines of the same program that have to run first, such as choosing the model. */
  readonly before?: readonly (readonly string[])[];
}

export interface TrialFile {
  /** Below the trial's folder. */
  readonly path: string;
  readonly text: string;
  readonly isExecutable?: boolean;
}

/** The agent's program, found on this machine. */
export interface ClientProgram {
  readonly program: string;
  run(
    args: readonly string[],
    options: {
      readonly timeoutMs: number;
      readonly env?: Readonly<Record<string, string>>;
      /** The project's, unless said otherwise. */
      readonly cwd?: string;
      /** For its standard input, which is closed behind it. */
      readonly input?: string;
    },
  ): Promise<ClientEnd>;
}

export type ClientEnd =
  | { readonly started: false; readonly message: string }
  | {
      readonly started: true;
      readonly exitCode: number | null;
      readonly timedOut: boolean;
      readonly stdout: string;
      readonly stderr: string;
    };
