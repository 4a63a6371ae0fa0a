/** Sessions in the database. Each operation is whole or not done; items get their numbers here. */
import {
  activeStates,
  type NewPrompt,
  type NewSession,
  type PromptQueued,
  type PromptTaken,
  type SessionChange,
  type SessionChanged,
  type SessionCreated,
  type SessionItem,
  type SessionPage,
  type SessionQuery,
  type SessionRecord,
} from "../../../core/ports/sessions.ts";
import { nextPrompt, type QueueRequest, queueing, type Taker, taking } from "../../port/prompt-rules.ts";
import { toItem, toSession } from "../../port/session-rows.ts";
import {
  afterDeath,
  changed,
  createdBefore,
  isAllowed,
  newPrompt,
  newRecord,
  withFacts,
} from "../../port/session-rules.ts";
import { defineArea, type StoreContext } from "../area.ts";
import {
  findSession,
  insertItems,
  insertPrompt,
  insertSession,
  promptsOf,
  updateSession,
  type WrittenItem,
} from "./session-rows.ts";

export const sessionsBell = "sessions";

export const sessionsArea = defineArea({
  name: "sessions",
  writes: { create, change, queuePrompt, takePrompt, remove },
  reads: {
    get: (store, { id }: { readonly id: string }) => findSession(store, id),
    list,
    items,
    prompts: (store, { id }: { readonly id: string }) => promptsOf(store, id),
    asked,
    leftAgents,
  },
  onDead,
});

interface CreateArgs {
  readonly session: NewSession;
  readonly prompt: NewPrompt;
  readonly process: string;
}

function create(store: StoreContext, { session, prompt, process }: CreateArgs): SessionCreated {
  const { owner, key, folder, id } = session;
  const before =
    key === undefined
      ? undefined
      : store.get("SELECT body FROM sessions WHERE owner = ? AND idempotency_key = ?", owner, key);
  if (before !== undefined) {
    const known = toSession(before);
    const [first] = promptsOf(store, known.id);
    return createdBefore({ session: known, prompt: first }, { session, prompt });
  }
  const holder = holderOf(store, folder, id);
  if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
  const record = newRecord(session, process, store.now());
  insertSession(store, record);
  insertPrompt(store, id, newPrompt(prompt, 1, store.now()));
  store.ring(sessionsBell);
  return { ok: true, session: record, isNew: true };
}

function holderOf(
  store: StoreContext,
  folder: string | undefined,
  except: string,
): SessionRecord | undefined {
  if (folder === undefined) return undefined;
  const row = store.get(
    `SELECT body FROM sessions WHERE folder = ? AND id <> ?
     AND state IN (${activeStates.map(() => "?").join(", ")}) LIMIT 1`,
    folder,
    except,
    ...activeStates,
  );
  return row && toSession(row);
}

interface ChangeArgs {
  readonly id: string;
  readonly change: Omit<SessionChange, "items">;
  readonly items: readonly WrittenItem[];
}

/** Texts cross to and from this thread faster than objects do, and whoever asks has the items. */
type Changed =
  | { readonly ok: true; readonly session: string; readonly firstSeq: number; readonly at: number }
  | Extract<SessionChanged, { ok: false }>;

function change(store: StoreContext, { id, change: asked, items: added }: ChangeArgs): Changed {
  const session = findSession(store, id);
  if (session === undefined) return { ok: false, why: "unknown" };
  if (!isAllowed(session, asked)) return { ok: false, why: "moved", session };
  const at = store.now();
  const firstSeq = session.lastSeq + 1;
  const next = withFacts(session, asked.facts, added.length, at);
  const written = write(store, next, { firstSeq, at, items: added });
  if (asked.dropPrompts === true) dropPrompts(store, id);
  return { ok: true, session: written, firstSeq, at };
}

interface Writing {
  readonly firstSeq: number;
  readonly at: number;
  readonly items: readonly WrittenItem[];
}

function write(store: StoreContext, session: SessionRecord, { items: added, ...place }: Writing): string {
  const body = updateSession(store, session);
  insertItems(store, { session: session.id, ...place }, added);
  store.ring(sessionsBell);
  return body;
}

function apply(store: StoreContext, session: SessionRecord, asked: SessionChange) {
  const at = store.now();
  const next = changed(session, asked, at);
  const added = next.items.map(({ body, ...item }) => ({ ...item, json: JSON.stringify(body) }));
  write(store, next.session, { firstSeq: session.lastSeq + 1, at, items: added });
  if (asked.dropPrompts === true) dropPrompts(store, session.id);
  return next;
}

function dropPrompts(store: StoreContext, id: string): void {
  store.run("UPDATE session_prompts SET state = 'dropped' WHERE session = ? AND state = 'queued'", id);
}

type QueueArgs = { readonly id: string } & QueueRequest;

function queuePrompt(store: StoreContext, { id, ...asked }: QueueArgs): PromptQueued {
  const session = findSession(store, id);
  if (session === undefined) return { ok: false, why: "unknown" };
  const queued = queueing(session, promptsOf(store, id), asked, store.now());
  if (!queued.ok) return queued;
  const { prompt } = queued;
  if (queued.isNew) {
    insertPrompt(store, id, prompt);
    store.ring(sessionsBell);
  }
  return { ok: true, prompt, session };
}

function takePrompt(store: StoreContext, args: { readonly id: string } & Taker): PromptTaken {
  const { id, steer = false } = args;
  const session = findSession(store, id);
  if (session === undefined) return { ok: false, why: "unknown" };
  const found = nextPrompt(session, promptsOf(store, id), args);
  if (!found.ok) return found;
  const holder = steer ? undefined : holderOf(store, session.folder, id);
  if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
  const { taken, change } = taking(session, found.prompt, args);
  store.run(
    "UPDATE session_prompts SET state = 'taken', turn = ? WHERE session = ? AND number = ?",
    taken.turn,
    id,
    taken.number,
  );
  return { ok: true, prompt: taken, ...apply(store, session, change) };
}

function list(store: StoreContext, query: SessionQuery): SessionPage {
  const { owner, states, parent, after } = query;
  const limit = Math.min(query.limit ?? 50, 500);
  const rows = store.all(
    `SELECT body, id FROM sessions
     WHERE (? IS NULL OR owner = ?) AND (? IS NULL OR parent = ?)
       AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
       AND (? IS NULL OR number < (SELECT number FROM sessions WHERE id = ?))
     ORDER BY number DESC LIMIT ?`,
    owner ?? null,
    owner ?? null,
    parent ?? null,
    parent ?? null,
    states === undefined ? null : "",
    JSON.stringify(states ?? []),
    after ?? null,
    after ?? null,
    limit + 1,
  );
  const sessions = rows.slice(0, limit).map(toSession);
  return { sessions, next: rows.length > limit ? sessions.at(-1)?.id : undefined };
}

/** Sessions of this process of which somebody in another one wants something. */
function asked(store: StoreContext, { process }: { readonly process: string }): string[] {
  return store
    .all(
      `SELECT id FROM sessions WHERE process = ? AND (json_extract(body, '$.cancelAsked') IS NOT NULL
       OR EXISTS (SELECT 1 FROM session_prompts WHERE session = sessions.id AND session_prompts.state = 'queued'))`,
      process,
    )
    .map(({ id }) => String(id));
}

function leftAgents(store: StoreContext, _: undefined): SessionRecord[] {
  return store
    .all(
      "SELECT body FROM sessions WHERE process IS NULL AND json_extract(body, '$.agentProcess') IS NOT NULL",
    )
    .map(toSession);
}

interface ItemsArgs {
  readonly id: string;
  readonly after: number;
  readonly limit: number;
}

function items(store: StoreContext, { id, after, limit }: ItemsArgs): SessionItem[] {
  return store
    .all(
      "SELECT * FROM session_items WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
      id,
      after,
      Math.min(limit, 5_000),
    )
    .map(toItem);
}

function remove(store: StoreContext, { id }: { readonly id: string }): boolean {
  const state = findSession(store, id)?.state;
  if (state !== "ended" && state !== "idle") return false;
  for (const table of ["session_items", "session_prompts"])
    store.run(`DELETE FROM ${table} WHERE session = ?`, id);
  store.run("DELETE FROM sessions WHERE id = ?", id);
  store.ring(sessionsBell);
  return true;
}

/** What nobody runs any more is `lost`. */
function onDead(store: StoreContext, deadIds: readonly string[]): undefined {
  for (const dead of deadIds)
    for (const row of store.all("SELECT body FROM sessions WHERE process = ?", dead)) {
      const session = toSession(row);
      const hasQueued = promptsOf(store, session.id).some(({ state }) => state === "queued");
      apply(store, session, afterDeath(session, hasQueued, store.now()));
    }
  return undefined;
}
