/** `toolgate completion`: what a shell may offer behind each command, as a script of that shell. */
import type { Command } from "commander";
import { agentNames } from "../../../../agents/all-agents.ts";
import { agentToolNames } from "../../../../agents/main-field.ts";
import { allKnownTools } from "../../../../core/tool/known-tools.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { fishScript } from "./fish-script.ts";
import { bashScript, zshScript } from "./posix-script.ts";

export type ShellName = "bash" | "zsh" | "fish";

export interface CompletedCommand {
  /** Without the program's name: `audit verify`; of the program itself empty. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  /** What the first argument may be. Undefined: anything, so files are offered. */
  readonly words: readonly string[] | undefined;
}

export interface CompletedOption {
  /** `-f` and `--follow`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly description: string;
}

export function printCompletion(program: Command, shell: ShellName, io: CliIo): number {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  io.out(scripts[shell](commandsIn(program, "")));
  return exitCodes.ok;
}

function commandsIn(command: Command, path: string): CompletedCommand[] {
  const below = command.commands.flatMap((one) => commandsIn(one, `${path} ${one.name()}`.trim()));
  const [first] = command.registeredArguments;
  const options = command.options.map(({ short, long, required, optional, argChoices, description }) => ({
    names: [short, long].filter((name) => name !== undefined),
    takesValue: required || optional,
    choices: argChoices ?? [],
    description,
  }));
  const help = { names: ["-h", "--help"], takesValue: false, choices: [], description: "Print help." };
  const commands = command.commands.map((one) => ({ name: one.name(), summary: one.summary() }));
  const words = first?.argChoices ?? wordsFor(path);
  return [{ path, commands, options: [...options, help], words }, ...below];
}

const takesTool = ["check", "explain", "tools show", "tools call"];
const takesAgents = ["install", "uninstall"];

function wordsFor(path: string): readonly string[] | undefined {
  if (takesTool.includes(path)) return toolNames();
  return takesAgents.includes(path) ? agentNames : undefined;
}

/** Those that toolgate knows without opening anything. */
function toolNames(): string[] {
  return [...agentToolNames, ...allKnownTools().map(({ id }) => id)];
}
