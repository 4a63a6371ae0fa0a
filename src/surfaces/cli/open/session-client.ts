/** Sessions as the commands see them: those of a running server, or of this process. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findFolders } from "../../../config/folders.ts";
import { ToolgateError } from "../../../core/call/errors.ts";
import { visible } from "../../../core/text/visible.ts";
import type {
  MessageBody,
  RunnerList,
  Session,
  SessionBody,
  SessionList,
  SessionRemoved,
  SessionStreamEvent,
  SessionView,
} from "../../rest/contract.ts";
import { findServer } from "../../serve/announcement.ts";
import { agentAround } from "../agent-around.ts";
import type { CliIo } from "../terminal/io.ts";
import type { ToolOptions } from "./tool-options.ts";

/** Everything that is refused is thrown as a ToolgateError with what to do. */
export interface SessionClient extends AsyncDisposable {
  /** A server runs them: what asks waits in the queue. */
  readonly isServed: boolean;
  runners(): Promise<RunnerList>;
  start(body: SessionBody): Promise<Session>;
  list(query: SessionListQuery): Promise<SessionList>;
  view(
    id: string,
    page?: { readonly after?: string | undefined; readonly limit?: number },
  ): Promise<SessionView>;
  send(id: string, body: MessageBody): Promise<Session>;
  /** Done when it has ended, or soon after it was told to. */
  cancel(id: string, turn?: number): Promise<Session>;
  remove(id: string): Promise<SessionRemoved>;
  /** Until the signal aborts or the session is removed. */
  events(id: string, options: EventsOptions): AsyncIterable<SessionStreamEvent>;
}

export interface SessionListQuery {
  readonly owner?: string | undefined;
  readonly state?: readonly Session["state"][] | undefined;
  readonly limit?: number | undefined;
  /** `next` of the list before. */
  readonly after?: string | undefined;
}

export interface EventsOptions {
  /** The id of the last event that was seen. */
  readonly after?: string | undefined;
  readonly deltas?: boolean | undefined;
  readonly signal: AbortSignal;
}

export interface ClientOptions extends ToolOptions {
  readonly cwd?: string | undefined;
  readonly local?: boolean | undefined;
}

/** Keeps the screen free while somebody answers. */
export type AroundQuestion = <Result>(ask: () => Promise<Result>) => Promise<Result>;

/** An agent never gets the owner's token into its hands: what it starts, its own process runs. */
export async function openSessionClient(
  options: ClientOptions,
  io: CliIo,
  aroundQuestion: AroundQuestion = (ask) => ask(),
): Promise<SessionClient> {
  const isLocal = wantsThisProcess(options) || agentAround(io) !== undefined;
  const server = isLocal ? undefined : findServer(findFolders(io.env).state);
  if (server !== undefined) {
    const { createServedClient } = await import("./served-sessions.ts");
    return createServedClient(server);
  }
  const { openLocalSessions } = await import("./local-sessions.ts");
  return openLocalSessions(options, { ...io, cwd: chosenFolder(options, io) }, aroundQuestion);
}

/** A server has its own configuration, and its tools are on or off for everybody. */
function wantsThisProcess({ local, config, enableTools, enableToolCategories }: ClientOptions): boolean {
  return (
    local === true || config !== undefined || enableTools !== undefined || enableToolCategories !== undefined
  );
}

/** Throws a ToolgateError if there is no such folder. */
export function chosenFolder({ cwd }: Pick<ClientOptions, "cwd">, io: Pick<CliIo, "cwd">): string {
  const folder = resolve(io.cwd, cwd ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolgateError(`--cwd: there is no folder ${visible(folder)}.`);
  return folder;
}
