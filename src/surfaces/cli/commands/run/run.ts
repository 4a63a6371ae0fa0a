/** `toolgate run`: one prompt, one turn, and its end as the exit code. */
import { chosenFolder, openSessionClient } from "../../open/session-client.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { ownCommand } from "../../terminal/own-command.ts";
import { createSessionPrinter } from "../../terminal/session-printer.ts";
import { exitOf, followTurn } from "../sessions/follow-turn.ts";
import { refuseWithoutRunner } from "../sessions/refuse-runner.ts";
import type { SessionOptions } from "../sessions/session-options.ts";
import { startOf } from "../sessions/start-of.ts";

export interface RunCommandOptions extends SessionOptions {
  readonly prompt: string;
}

/** For the agent to end; its tools' processes are ended before. */
const cancelMs = 12_000;

export async function runRun(options: RunCommandOptions, io: CliIo): Promise<number> {
  const prompt = options.prompt === "-" ? await io.readStdin() : options.prompt;
  if (prompt.trim() === "") return fail("The prompt is empty. Say what to do: toolgate run 'PROMPT'", io);
  const cwd = chosenFolder(options, io);
  io.allowGrace?.(cancelMs);
  const printer = createSessionPrinter({ json: options.json === true }, io);
  await using client = await openSessionClient(options, io, printer.during);
  // The other runners need not be looked at where the command names none.
  if (options.runner !== undefined) refuseWithoutRunner(options.runner, (await client.runners()).runners);
  const session = await client.start({ ...startOf(options), prompt, cwd, single: true });
  const { how } = await followTurn({
    ...{ client, printer, io, id: session.id, cancel: io.signal, isSingle: true },
    answersHere: client.isServed && options.json !== true,
  });
  if (io.stderrIsTerminal === true && options.json !== true && how !== "completed")
    io.err(`Go on with it: ${ownCommand(io)} sessions resume ${session.id} 'MESSAGE'\n`);
  return how === "completed" ? exitCodes.ok : exitOf[how];
}
