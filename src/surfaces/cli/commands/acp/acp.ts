/** `toolgate acp`: an editor's agent, with a gate for each folder that the editor works in. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { packageVersion } from "../../../../gate/package-version.ts";
import { serveLines } from "../../../../mcp/serve-lines.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { createRunners } from "../../../../open/open-runners.ts";
import { openSessions } from "../../../../open/open-sessions.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import type { Sessions } from "../../../../sessions/create-sessions.ts";
import { connectEditor } from "../../../acp/create-acp-server.ts";
import { openEffective } from "../../open/effective-config.ts";
import { chooseTools, openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { isEverything } from "../serve/mcp-workspace.ts";
import { refuseWithoutRunner } from "../sessions/refuse-runner.ts";

export interface AcpCommandOptions extends ToolOptions {
  readonly runner?: string | undefined;
  readonly tools?: "gate" | "agent" | "none" | undefined;
  readonly model?: string | undefined;
  readonly as?: string | undefined;
}

interface Opened {
  readonly open: OpenTools;
  readonly sessions: Sessions;
}

/** Editors that close the pipe wait about two seconds before they kill. */
const graceMs = 5_000;
const callerName = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;
const offers = { gate: true, agent: "agent", none: false } as const;

export async function runAcp(options: AcpCommandOptions, io: CliIo): Promise<number> {
  const { as = "local", runner, model, tools } = options;
  if (!callerName.test(as))
    return fail(`--as takes a name of letters, digits and . _ @ -, not "${visible(as)}".`, io);
  await lookForRunner(options, io);
  const pipe = io.takePipe?.();
  if (pipe === undefined) return fail("toolgate acp needs standard input and output for itself.", io);
  if (io.stdinIsTerminal === true)
    io.err(
      "Waiting for an editor on standard input. An editor starts this command itself; Ctrl-C ends it.\n",
    );
  io.allowGrace?.(graceMs);
  const tell = (message: string) => io.err(`${visible(message)}\n`);
  const folders = new Map<string, Promise<Opened>>();
  const open = (cwd: string) => {
    const opening = folders.get(cwd) ?? openFolder(options, { ...io, cwd }, tell);
    folders.set(cwd, opening);
    // What could not be opened may be put right, and is tried again.
    opening.catch(() => folders.delete(cwd));
    return opening.then(({ sessions, open: { gate } }) => ({ sessions, gate }));
  };
  const connected: { close(): void }[] = [];
  try {
    await serveLines({ ...pipe, signal: io.signal }, (send) => {
      const connection = connectEditor(
        {
          ...{ open, runner, model, tell },
          person: { id: as, capabilities: ["*"] },
          version: packageVersion(),
          ...(tools !== undefined && { tools: offers[tools] }),
        },
        send,
      );
      connected.push(connection);
      return connection;
    });
  } finally {
    for (const connection of connected) connection.close();
    for (const one of await Promise.allSettled(folders.values()))
      if (one.status === "fulfilled") {
        await one.value.sessions.close();
        await one.value.open[Symbol.asyncDispose]();
      }
  }
  return exitCodes.ok;
}

async function openFolder(
  options: AcpCommandOptions,
  io: CliIo,
  tell: (message: string) => void,
): Promise<Opened> {
  // Reading inside the workspace needs no approval.
  if (isEverything(io))
    throw new ToolgateError(
      `${io.cwd} is everything that you have: its files would be read without asking. Open a project's folder in the editor.`,
    );
  const open = await openToolGate(options, io, {
    approver: "desk",
    durable: true,
    upstreams: "live",
    note: (text) => tell(text),
  });
  try {
    await open.recovered;
    const { store, config } = open;
    if (store === undefined) throw new ToolgateError("Sessions need a store, and there is none.");
    refuseUnknownRunner(options, config, io);
    const sessions = await openSessions({
      open: { ...open, store },
      own: () => ({ current: config, broken: [] }),
      env: io.env,
      choose: (chosen) => chooseTools(options, chosen),
      tell,
    });
    return { open, sessions };
  } catch (error) {
    await open[Symbol.asyncDispose]();
    throw error;
  }
}

/** Said before an editor waits. A folder that the editor names later may have others, and is looked at again. */
async function lookForRunner(options: AcpCommandOptions, io: CliIo): Promise<void> {
  if (options.runner === undefined || isEverything(io)) return;
  const config = await openEffective(options, io);
  // The editor is told of broken files when it opens the folder.
  if (config.problems.length === 0) refuseUnknownRunner(options, config, io);
}

/** What a runner misses is said when a prompt needs it: it may be there by then. */
function refuseUnknownRunner(
  { runner }: AcpCommandOptions,
  { settings }: Pick<OpenConfig, "settings">,
  { env }: CliIo,
): void {
  if (runner === undefined) return;
  const names = createRunners(settings.sessions?.runners ?? {}, env).map(({ name }) => ({ name }));
  refuseWithoutRunner(runner, names);
}
