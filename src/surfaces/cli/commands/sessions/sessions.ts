/** `toolgate sessions`: lists, transcripts, cancelling, going on. */
import { sessionEnds, sessionStates } from "../../../../core/ports/sessions.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { Session, SessionStreamEvent } from "../../../rest/contract.ts";
import { explainForPeople } from "../../agent-around.ts";
import { openSessionClient, type SessionClient } from "../../open/session-client.ts";
import {
  type CliIo,
  exitCodes,
  fail,
  type JsonOption,
  type ListOptions,
  printJson,
  printList,
} from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createSessionPrinter } from "../../terminal/session-printer.ts";
import { shownPath } from "../../terminal/shown.ts";
import { formatTable } from "../../terminal/table.ts";
import { exitOf, followTurn } from "./follow-turn.ts";

interface ListCommand extends ListOptions {
  /** One of `sessionStates` or `sessionEnds`. */
  readonly state?: string | undefined;
  readonly owner?: string | undefined;
  readonly limit?: number | undefined;
}

interface OneCommand extends JsonOption {
  readonly id: string;
}

export async function runSessionsList({ state, ...options }: ListCommand, io: CliIo): Promise<number> {
  const { owner, limit = 50, ...form } = options;
  await using client = await openSessionClient({}, io);
  const sessions = await findSessions(client, { state, owner, limit });
  if (printList(sessions, form, io)) return exitCodes.ok;
  if (sessions.length === 0) {
    const none =
      state === undefined && owner === undefined
        ? "There are no sessions. Start one: toolgate run 'PROMPT'\n"
        : "There are no such sessions. toolgate sessions list shows all.\n";
    io.err(asTyped(none, io));
    return exitCodes.ok;
  }
  const now = Date.now();
  const rows = sessions.map((one) => [
    one.id,
    one.end === undefined ? one.state : one.end,
    shownDuration(Math.max(0, now - one.updatedAt)),
    one.owner,
    one.runner,
    shownPath(one.cwd, io.cwd),
    visible(one.title, { maxLength: 60 }),
  ]);
  io.out(formatTable(["session", "state", "age", "owner", "runner", "folder", "title"], rows, io));
  return exitCodes.ok;
}

/** How a session ended is no question to the store: the ended ones are looked through, page by page. */
async function findSessions(
  client: SessionClient,
  { state, owner, limit }: Pick<ListCommand, "state" | "owner"> & { readonly limit: number },
): Promise<readonly Session[]> {
  const how = sessionEnds.find((end) => end === state);
  const asked = how === undefined ? sessionStates.find((one) => one === state) : "ended";
  const query = { owner, state: asked && [asked] };
  const found: Session[] = [];
  let after: string | undefined;
  do {
    const page = await client.list({ ...query, limit: how === undefined ? limit : pageSessions, after });
    found.push(...page.sessions.filter(({ end }) => how === undefined || end === how));
    after = how === undefined ? undefined : page.next;
  } while (after !== undefined && found.length < limit);
  return found.slice(0, limit);
}

const pageSessions = 500;

export async function runSessionsShow({ id, json }: OneCommand, io: CliIo): Promise<number> {
  await using client = await openSessionClient({}, io);
  const first = await client.view(id);
  const items = [...first.items];
  for (let next = first.next; next !== undefined; ) {
    const page = await client.view(id, { after: next });
    items.push(...page.items);
    next = page.next;
  }
  if (json === true) return printJson({ ...first, items, next: undefined }, io);
  const printer = createSessionPrinter({ json: false, showsUser: true }, io);
  for (const item of items) printer.show(item as SessionStreamEvent);
  for (const { by, text } of first.prompts)
    io.err(visible(`waits: ${by}> ${text}\n`, { keepNewlines: true }));
  io.err(`${describe(first.session)}\n`);
  return exitCodes.ok;
}

export async function runSessionsTail(
  { id, ndjson }: { readonly id: string; readonly ndjson?: boolean | undefined },
  io: CliIo,
): Promise<number> {
  await using client = await openSessionClient({}, io);
  await client.view(id, { limit: 0 });
  const printer = createSessionPrinter({ json: ndjson === true, showsUser: true }, io);
  let last: Session | undefined;
  let seen: string | undefined;
  for await (const event of client.events(id, { signal: io.signal })) {
    printer.show(event);
    if (event.kind === "session") last = event.data;
    else if ("id" in event) seen = event.id;
    // The state comes first and the log behind it: all of it is to be seen.
    if (last?.state === "ended" && (seen === last.cursor || last.cursor.endsWith("-0"))) break;
  }
  return io.signal.aborted ? exitCodes.interrupted : exitCodes.ok;
}

export async function runSessionsCancel(
  { id, turn, json }: OneCommand & { readonly turn?: boolean | undefined },
  io: CliIo,
): Promise<number> {
  const refused = explainForPeople("ending a session", io);
  if (refused !== undefined) return fail(refused, io);
  await using client = await openSessionClient({}, io);
  const number = turn === true ? (await client.view(id, { limit: 0 })).session.turn : undefined;
  const session = await client.cancel(id, number);
  if (json === true) return printJson(session, io);
  io.err(`${describe(session)}\n`);
  return exitCodes.ok;
}

export async function runSessionsResume(
  { id, message, local, json }: OneCommand & ResumeOptions,
  io: CliIo,
): Promise<number> {
  const refused = explainForPeople("going on with a session", io);
  if (refused !== undefined) return fail(refused, io);
  const text = message === "-" ? await io.readStdin() : message;
  if (text.trim() === "") return fail("The message is empty.", io);
  io.allowGrace?.(cancelMs);
  const printer = createSessionPrinter({ json: json === true }, io);
  await using client = await openSessionClient({ local }, io, printer.during);
  const { session } = await client.view(id, { limit: 0 });
  await client.send(id, { text, resume: true });
  const { how } = await followTurn({
    ...{ client, id, printer, io, cancel: io.signal, after: session.cursor },
    answersHere: client.isServed && json !== true,
  });
  return exitOf[how];
}

interface ResumeOptions {
  readonly message: string;
  readonly local?: boolean | undefined;
}

const cancelMs = 12_000;

export async function runSessionsRemove({ id, json }: OneCommand, io: CliIo): Promise<number> {
  const refused = explainForPeople("removing a session", io);
  if (refused !== undefined) return fail(refused, io);
  await using client = await openSessionClient({}, io);
  const removed = await client.remove(id);
  if (json === true) return printJson(removed, io);
  const { worktree } = removed;
  io.err(`Session ${visible(id)} is removed.\n`);
  if (worktree !== undefined)
    io.err(`Its work tree ${visible(worktree.path)} is ${worktree.state}. ${visible(worktree.why ?? "")}\n`);
  return exitCodes.ok;
}

function describe({ id, state, end, turn, error, usage, runner }: Session): string {
  const how = end ?? state;
  const why = error === undefined ? "" : `: ${visible(error.message)}`;
  return `Session ${id} (${runner}): ${how} after ${plural(turn, "turn")}, ${plural(usage.inputTokens + usage.outputTokens, "token")}${why}`;
}
