/** What changes a session. Each is one transaction; items get their numbers here. */
import {
  activeStates,
  type PromptTaken,
  type SessionChange,
  type SessionCreated,
  type SessionRecord,
  type SessionStore,
} from "../../../core/ports/sessions.ts";
import { nextPrompt, queueing, taking } from "../../port/prompt-rules.ts";
import { toSession } from "../../port/session-rows.ts";
import {
  afterDeath,
  changed,
  createdBefore,
  isAllowed,
  mostQueuedPrompts,
  newPrompt,
  newRecord,
} from "../../port/session-rules.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import {
  dropPrompts,
  findSession,
  insertItems,
  insertPrompt,
  insertSession,
  promptsOf,
  updateSession,
} from "./session-rows.ts";

type Changes = Pick<SessionStore, "create" | "change" | "queuePrompt" | "takePrompt" | "remove">;

export function createSessionChanges({ db, bells, clock }: PostgresContext): Changes {
  const rung = <Result>(result: Result): Result => {
    bells.ring("sessions");
    return result;
  };

  const create = async (
    tx: Statements,
    [session, prompt, process]: Parameters<SessionStore["create"]>,
  ): Promise<SessionCreated> => {
    const { owner, key, folder, id } = session;
    const [before] =
      key === undefined
        ? []
        : await tx.query("SELECT body FROM toolgate.sessions WHERE owner = $1 AND idempotency_key = $2", [
            owner,
            key,
          ]);
    if (before !== undefined) {
      const known = toSession(before);
      const [first] = await promptsOf(tx, known.id);
      return createdBefore({ session: known, prompt: first }, { session, prompt });
    }
    const holder = await holderOf(tx, folder, id);
    if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
    const record = newRecord(session, process, clock.now());
    await insertSession(tx, record);
    await insertPrompt(tx, id, newPrompt(prompt, 1, clock.now()));
    return { ok: true, session: record, isNew: true };
  };

  const take = async (
    tx: Statements,
    [id, taker]: Parameters<SessionStore["takePrompt"]>,
  ): Promise<PromptTaken> => {
    const session = await findSession(tx, id, true);
    if (session === undefined) return { ok: false, why: "unknown" };
    const found = nextPrompt(session, await promptsOf(tx, id), taker);
    if (!found.ok) return found;
    const holder = taker.steer === true ? undefined : await holderOf(tx, session.folder, id);
    if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
    const { taken, change } = taking(session, found.prompt, taker);
    await tx.run(
      "UPDATE toolgate.session_prompts SET state = 'taken', turn = $1 WHERE session = $2 AND number = $3",
      [taken.turn, id, taken.number],
    );
    return { ok: true, prompt: taken, ...(await apply(tx, session, change, clock.now())) };
  };

  return {
    // One after the other: two that look for a free folder at the same time would both find it.
    create: async (...args) => rung(await db.transaction((tx) => create(tx, args), "sessions")),
    takePrompt: async (...args) => rung(await db.transaction((tx) => take(tx, args), "sessions")),
    change: async (id, asked) =>
      rung(
        await db.transaction(async (tx) => {
          const session = await findSession(tx, id, true);
          if (session === undefined) return { ok: false, why: "unknown" };
          if (!isAllowed(session, asked)) return { ok: false, why: "moved", session };
          return { ok: true, ...(await apply(tx, session, asked, clock.now())) };
        }),
      ),
    queuePrompt: async (id, prompt, { resume = false, maxQueued = mostQueuedPrompts } = {}) =>
      rung(
        await db.transaction(async (tx) => {
          const session = await findSession(tx, id, true);
          if (session === undefined) return { ok: false, why: "unknown" };
          const asked = { prompt, resume, maxQueued };
          const queued = queueing(session, await promptsOf(tx, id), asked, clock.now());
          if (!queued.ok) return queued;
          if (queued.isNew) await insertPrompt(tx, id, queued.prompt);
          return { ok: true, prompt: queued.prompt, session };
        }),
      ),
    remove: async (id) =>
      rung(
        await db.transaction(async (tx) => {
          const state = (await findSession(tx, id, true))?.state;
          if (state !== "ended" && state !== "idle") return false;
          for (const table of ["session_items", "session_prompts"])
            await tx.run(`DELETE FROM toolgate.${table} WHERE session = $1`, [id]);
          await tx.run("DELETE FROM toolgate.sessions WHERE id = $1", [id]);
          return true;
        }),
      ),
  };
}

async function holderOf(
  tx: Statements,
  folder: string | undefined,
  except: string,
): Promise<SessionRecord | undefined> {
  if (folder === undefined) return undefined;
  const [row] = await tx.query(
    "SELECT body FROM toolgate.sessions WHERE folder = $1 AND id <> $2 AND state = ANY($3) LIMIT 1",
    [folder, except, activeStates],
  );
  return row && toSession(row);
}

async function apply(tx: Statements, session: SessionRecord, asked: SessionChange, now: number) {
  const next = changed(session, asked, now);
  await updateSession(tx, next.session);
  await insertItems(tx, session.id, next.items);
  if (asked.dropPrompts === true) await dropPrompts(tx, session.id);
  return next;
}

/** What nobody runs any more is `lost`. Returns how many there were. */
export async function loseSessions(tx: Statements, nodes: readonly string[], now: number): Promise<number> {
  const rows = await tx.query("SELECT body FROM toolgate.sessions WHERE process = ANY($1) FOR UPDATE", [
    nodes,
  ]);
  for (const row of rows) {
    const session = toSession(row);
    const hasQueued = (await promptsOf(tx, session.id)).some(({ state }) => state === "queued");
    await apply(tx, session, afterDeath(session, hasQueued, now), now);
  }
  return rows.length;
}
