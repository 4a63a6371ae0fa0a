/** Runs one command line, and turns everything that goes wrong into one message and an exit code. */
import { type Command, CommanderError } from "commander";
import { messageOf, ToolgateError } from "../../core/call/errors.ts";
import { visible } from "../../core/text/visible.ts";
import { createProgram } from "./program/program.ts";
import { type CliIo, exitCodes, Interrupted, Told } from "./terminal/io.ts";
import { asTyped } from "./terminal/own-command.ts";

/** `argv` without the program's name. */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  let failed: number = exitCodes.failed;
  let exitCode: number | undefined;
  const finish = (code: number) => {
    exitCode = code;
  };
  const program = createProgram(io, finish, argv[0]);
  program.hook("preSubcommand", (_program, command) => {
    // Agents let a call pass on any exit code but 2: a check that could not be made must not look like that.
    if (command.name() === "check") failed = exitCodes.blocked;
  });
  try {
    await program.parseAsync(withHelp(argv, program), { from: "user" });
    return exitCode ?? failed;
  } catch (error) {
    // Commander has printed its message by then.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : failed;
    if (error instanceof Told) return failed;
    if (error instanceof Interrupted || isCancelled(error, io)) return exitCodes.interrupted;
    // What check prints an agent hands to its model.
    const told = describeError(error, io);
    io.err(failed === exitCodes.blocked ? told : asTyped(told, io));
    return failed;
  }
}

/** Whoever pressed Ctrl-C knows why the work has ended. */
function isCancelled(error: unknown, { signal }: CliIo): boolean {
  return (
    signal.aborted && (error === signal.reason || (error instanceof Error && error.name === "AbortError"))
  );
}

/** No words, or `help`: the help. A command that does not exist gets a suggestion instead. */
function withHelp(argv: readonly string[], program: Command): string[] {
  const words = argv[0] === "help" ? argv.slice(1) : argv;
  const known = program.commands.find((command) => command.name() === words[0]);
  const isKnown = known !== undefined;
  const isGroup = isKnown && known.commands.length > 0 && !runsAlone.includes(known.name());
  if (words.length === 0 || (words.length === 1 && isGroup)) return [...words, "--help"];
  if (words !== argv) return isKnown ? [...words, "--help"] : [...words];
  // With --help behind the name, commander would not say that the command does not exist.
  const isName = words[0]?.startsWith("-") === false;
  return isName && !isKnown ? [words[0] ?? ""] : [...words];
}

/** Groups of commands that do something by themselves. */
const runsAlone = ["approvals"];

export function describeError(error: unknown, { env }: Pick<CliIo, "env">): string {
  const message = visible(messageOf(error), { keepNewlines: true });
  if (env.TOOLGATE_DEBUG === "1" && error instanceof Error) return `${error.stack ?? message}\n`;
  if (error instanceof ToolgateError || isSystemError(error)) return `toolgate: ${message}\n`;
  return `toolgate: something went wrong inside: ${message}\nRun it again with TOOLGATE_DEBUG=1 to see where.\n`;
}

/** A full disk, a missing right: nothing is wrong with the program. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
