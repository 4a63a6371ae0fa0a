/** Sessions that outlive the process, and that other processes look at. */
import type { SessionRecord, SessionStore } from "../../../core/ports/sessions.ts";
import type { Redactor } from "../../../safe/redact/redact.ts";
import { createSessionCleaner } from "../../port/clean-sessions.ts";
import { mostQueuedPrompts } from "../../port/session-rules.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import { type sessionsArea, sessionsBell } from "./sessions-area.ts";

export function createSqliteSessions(client: SqliteClient, redactor: Redactor): SessionStore {
  const area = client.area<typeof sessionsArea>("sessions");
  const cleaner = createSessionCleaner(redactor);
  return {
    create: (session, prompt, process) =>
      area.write("create", {
        session: cleaner.session(session),
        prompt: cleaner.prompt(prompt),
        process,
      }),
    get: (id) => area.read("get", { id }),
    list: (query = {}) => area.read("list", query),
    async change(id, { items: added = [], ...change }) {
      const items = added.map(cleaner.item);
      const result = await area.write("change", {
        id,
        change,
        items: items.map(({ item: { kind, turn, itemId }, json }) => ({ kind, turn, itemId, json })),
      });
      if (!result.ok) return result;
      const { at } = result;
      return {
        ok: true,
        session: JSON.parse(result.session) as SessionRecord,
        items: items.map(({ item }, index) => ({ ...item, seq: result.firstSeq + index, at })),
      };
    },
    queuePrompt: (id, prompt, { resume = false, maxQueued = mostQueuedPrompts } = {}) =>
      area.write("queuePrompt", { id, prompt: cleaner.prompt(prompt), resume, maxQueued }),
    takePrompt: (id, taker) => area.write("takePrompt", { id, ...taker }),
    prompts: (id) => area.read("prompts", { id }),
    items: (id, { after = 0, limit = 500 } = {}) => area.read("items", { id, after, limit }),
    remove: (id) => area.write("remove", { id }),
    asked: (process) => area.read("asked", { process }),
    leftAgents: () => area.read("leftAgents", undefined),
    onChange: (listener) => client.listen(sessionsBell, listener),
  };
}
