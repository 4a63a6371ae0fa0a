/** Starts the command line in a real process. */
import process from "node:process";
import { ToolgateError } from "../../core/call/errors.ts";
import { readCheckArgs } from "./commands/check/check-args.ts";
import { type CliIo, exitCodes, Interrupted } from "./terminal/io.ts";
import { createProcessIo, flushOutput } from "./terminal/process-io.ts";

export async function start(argv: readonly string[]): Promise<void> {
  // Agents let a call pass on any exit code but 2: a check that could not be made must not look like that.
  const failed = argv.includes("check") ? exitCodes.blocked : exitCodes.failed;
  const crash = async (error: unknown) => {
    if (error instanceof Interrupted) return end(exitCodes.interrupted);
    const { describeError } = await import("./main.ts");
    process.stderr.write(describeError(error, { env: process.env }));
    return end(failed);
  };
  process.on("uncaughtException", crash);
  try {
    const io = createProcessIo();
    const exitCode = await run(argv, io);
    await flushOutput();
    const lost = io.lostOutput();
    if (lost !== undefined) throw new ToolgateError(`Standard output cannot be written: ${lost}`);
    await end(io.wasInterrupted() ? exitCodes.interrupted : exitCode);
  } catch (error) {
    await crash(error);
  }
}

/** Does not wait for open handles: they must not keep a finished command alive. */
async function end(exitCode: number): Promise<never> {
  await flushOutput();
  process.exit(exitCode);
}

async function run(argv: readonly string[], io: CliIo): Promise<number> {
  const checkArgs = argv[0] === "check" ? readCheckArgs(argv.slice(1)) : undefined;
  if (checkArgs !== undefined) {
    const { runCheck } = await import("./commands/check/check.ts");
    return runCheck(checkArgs, io);
  }
  const { main } = await import("./main.ts");
  return main(argv, io);
}
