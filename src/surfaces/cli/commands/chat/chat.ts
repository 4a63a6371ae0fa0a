/** `toolgate chat`: message after message to one session, its answers as they are written. */
import { visible } from "../../../../core/text/visible.ts";
import { agentAround } from "../../agent-around.ts";
import { chosenFolder, openSessionClient, type SessionClient } from "../../open/session-client.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { readLines } from "../../terminal/input-lines.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { ownCommand } from "../../terminal/own-command.ts";
import { createSessionPrinter } from "../../terminal/session-printer.ts";
import { followTurn } from "../sessions/follow-turn.ts";
import { refuseWithoutRunner } from "../sessions/refuse-runner.ts";
import type { SessionOptions } from "../sessions/session-options.ts";
import { startOf } from "../sessions/start-of.ts";

export interface ChatOptions extends SessionOptions {
  readonly session?: string | undefined;
}

const maxLine = 1_000_000;
const cancelMs = 12_000;

export async function runChat(options: ChatOptions, io: CliIo): Promise<number> {
  if (options.session !== undefined && agentAround(io) !== undefined)
    return fail("This runs inside an agent, and other sessions are not the agent's to go on with.", io);
  const cwd = chosenFolder(options, io);
  io.allowGrace?.(cancelMs);
  const printer = createSessionPrinter({ json: options.json === true }, io);
  await using client = await openSessionClient(options, io, printer.during);
  let id = options.session;
  // Said before somebody has written a long message for nobody.
  if (id === undefined) refuseWithoutRunner(options.runner, (await client.runners()).runners);
  let cursor = id === undefined ? undefined : (await client.view(id, { limit: 0 })).session.cursor;
  let failed = false;
  let wasSpokenTo = false;
  const isAtTerminal = io.isTerminal && io.stdinIsTerminal === true && io.askLine !== undefined;
  if (isAtTerminal) io.err("/help says what there is, /quit ends.\n");
  for await (const text of messages(io, isAtTerminal)) {
    wasSpokenTo = true;
    if (text === "/quit" || text === "/exit") break;
    if (text === "/help") io.err(help);
    else if (text.startsWith("/")) io.err(`There is no ${visible(text)}. ${help}`);
    else {
      const isNew = id === undefined;
      const session =
        id === undefined
          ? await client.start({ ...startOf(options), prompt: text, cwd })
          : await client.send(id, { text, resume: true });
      id = session.id;
      using turn = interruptible(io);
      const { cancel } = turn;
      const answersHere = client.isServed && options.json !== true;
      const end = await followTurn({
        ...{ client, id, printer, io, cancel, answersHere },
        after: isNew ? undefined : cursor,
      });
      cursor = end.cursor;
      failed = end.how === "failed";
    }
    if (io.signal.aborted) break;
  }
  if (!wasSpokenTo && !isAtTerminal && !io.signal.aborted)
    return fail("No message came on standard input. Write one a line, or run it at a terminal.", io);
  if (id !== undefined && isAtTerminal) tellHowToGoOn(id, client, io);
  return io.signal.aborted ? exitCodes.interrupted : failed ? exitCodes.failed : exitCodes.ok;
}

const help = "/help, /quit; Ctrl-C cancels the turn that runs, twice ends.\n";

async function* messages(io: CliIo, isAtTerminal: boolean): AsyncGenerator<string> {
  if (!isAtTerminal) {
    if (io.stdinChunks === undefined) return;
    for await (const { text = "" } of readLines(io.stdinChunks(), maxLine))
      if (text.trim() !== "") yield text.trim();
    return;
  }
  const question = coloursFor(io).bold("> ");
  const history: string[] = [];
  for (;;) {
    const line = await io.askLine?.(question, history);
    if (line === undefined || io.signal.aborted) return;
    if (line.trim() === "") continue;
    history.unshift(line);
    yield line.trim();
  }
}

/** The first Ctrl-C cancels the turn; the next one is the command's own. */
function interruptible(io: CliIo): Disposable & { readonly cancel: AbortSignal } {
  const stopping = new AbortController();
  io.onInterrupt?.(() => {
    if (stopping.signal.aborted) return false;
    stopping.abort();
    return true;
  });
  return {
    cancel: AbortSignal.any([stopping.signal, io.signal]),
    [Symbol.dispose]: () => io.onInterrupt?.(undefined),
  };
}

function tellHowToGoOn(id: string, { isServed }: SessionClient, io: CliIo): void {
  io.err(`Go on with it: ${ownCommand(io)} chat --session ${id}${isServed ? "" : " --local"}\n`);
}
