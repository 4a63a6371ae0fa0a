/** `toolgate acp`: an editor's agent, with a gate for each folder that the editor works in. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { packageVersion } from "../../../../gate/package-version.ts";
import { serveLines } from "../../../../mcp/serve-lines.ts";
import { openSessions } from "../../../../open/open-sessions.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import type { Sessions } from "../../../../sessions/create-sessions.ts";
import { connectEditor } from "../../../acp/create-acp-server.ts";
import { openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { isEverything } from "../serve/mcp-workspace.ts";

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
    const sessions = await openSessions({
      open: { ...open, store },
      own: () => ({ current: config, broken: [] }),
      env: io.env,
      tell,
    });
    return { open, sessions };
  } catch (error) {
    await open[Symbol.asyncDispose]();
    throw error;
  }
}
