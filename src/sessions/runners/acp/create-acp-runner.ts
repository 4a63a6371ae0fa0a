/** A runner for any agent that speaks the Agent Client Protocol on stdio. */
import { ToolgateError } from "../../../core/call/errors.ts";
import { type AcpKind, acpKinds } from "../../../core/tool/acp-kinds.ts";
import { explainMissingCommand, findCommand } from "../../../safe/process/find-command.ts";
import type { Runner } from "../../runner.ts";

export interface AcpRunnerOptions {
  /** What a session asks for. */
  readonly name: string;
  /** Said in lists. Default: the name and "over ACP". */
  readonly title?: string | undefined;
  /** The program and its arguments, such as `["opencode", "acp"]`. */
  readonly command: readonly string[];
  /** Variables for the agent, besides a short list of harmless ones: its keys and settings. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables that it gets as they are here. */
  readonly envPass?: readonly string[] | undefined;
  /** The way to log in that is chosen when a session starts, by its id. Default: none. */
  readonly authMethod?: string | undefined;
  /**
   * A call that the agent made without asking. `end`: the turn fails and the agent is closed. `tell`: the
   * transcript says so, and nothing else happens. Default: end.
   */
  readonly ungated?: "end" | "tell" | undefined;
  /** Tools that do nothing and may run unasked, by the agent's names. */
  readonly unasked?: readonly string[] | undefined;
  /** The agent sends no input with commands: the title of a call of kind `execute` is the whole command. */
  readonly titleIsCommand?: boolean | undefined;
  /** Kinds of calls that are judged as such where the agent does not say which file or address they are about. */
  readonly judgeByKind?: readonly AcpKind[] | undefined;
  /**
   * The agent begins the id of each call with the name of its tool and `__`: so the gate knows its own tools, of
   * which the title may say anything. Default: false.
   */
  readonly idNamesTool?: boolean | undefined;
  /** Files and terminals are offered to the agent as tools of the gate. Default: false. */
  readonly clientTools?: boolean | undefined;
  /** For each step until the agent is ready. Default: one minute. */
  readonly startTimeoutMs?: number | undefined;
  /** Of one message of the agent. Default: 32 MB. */
  readonly maxMessageBytes?: number | undefined;
}

export function createAcpRunner(options: AcpRunnerOptions): Runner {
  checkOptions(options);
  const { name, title = `${name} over ACP`, command } = options;
  return {
    name,
    title,
    offers: ["agent", "gate", "none"],
    explainMissing: () => {
      const [program = ""] = command;
      const path = options.env?.PATH ?? process.env.PATH;
      if (findCommand(program, path, process.cwd()) !== undefined) return undefined;
      return `The runner ${name} cannot be used. ${explainMissingCommand(program, path, process.cwd()).message}`;
    },
    // The protocol is loaded with the first agent.
    open: async (session) => (await import("./open-acp-agent.ts")).openAcpAgent(options, session),
  };
}

function checkOptions({ name, command, judgeByKind = [], ungated }: AcpRunnerOptions): void {
  if (typeof name !== "string" || name === "")
    throw new ToolgateError("createAcpRunner: name must be a text that is not empty.");
  if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === "string"))
    throw new ToolgateError(
      'createAcpRunner: command must be a list of the program and its arguments, such as ["opencode", "acp"].',
    );
  const wrong = judgeByKind.find((kind) => !acpKinds.includes(kind));
  if (wrong !== undefined)
    throw new ToolgateError(
      `createAcpRunner: judgeByKind has ${JSON.stringify(wrong)}; kinds are ${acpKinds.join(", ")}.`,
    );
  if (ungated !== undefined && ungated !== "end" && ungated !== "tell")
    throw new ToolgateError(
      `createAcpRunner: ungated must be "end" or "tell", not ${JSON.stringify(ungated)}.`,
    );
}
