/** Sessions as the gate writes them: what must not be stored is taken out of texts on the way in. */
import type { JsonObject } from "../../core/input/json.ts";
import type { NewItem, NewPrompt, NewSession, SessionStore } from "../../core/ports/sessions.ts";
import type { Redactor } from "../../safe/redact/redact.ts";

export interface SessionCleaner {
  session(session: NewSession): NewSession;
  prompt(prompt: NewPrompt): NewPrompt;
  /** With its body as JSON: written once, and looked at once. */
  item(item: NewItem): { readonly item: NewItem; readonly json: string };
}

export function createSessionCleaner(redactor: Redactor): SessionCleaner {
  return {
    session: (session) => ({ ...session, title: redactor.redactText(session.title) }),
    prompt: (prompt) => ({ ...prompt, text: redactor.redactText(prompt.text) }),
    item(item) {
      const json = JSON.stringify(item.body);
      if (redactor.isClean(json)) return { item, json };
      const body = redactor.redact(item.body).value as JsonObject;
      return { item: { ...item, body }, json: JSON.stringify(body) };
    },
  };
}

export function cleanSessions(sessions: SessionStore, redactor: Redactor): SessionStore {
  const cleaner = createSessionCleaner(redactor);
  return {
    ...sessions,
    create: (session, prompt, process) =>
      sessions.create(cleaner.session(session), cleaner.prompt(prompt), process),
    change: (id, change) =>
      sessions.change(id, { ...change, items: change.items?.map((item) => cleaner.item(item).item) }),
    queuePrompt: (id, prompt, options) => sessions.queuePrompt(id, cleaner.prompt(prompt), options),
  };
}
