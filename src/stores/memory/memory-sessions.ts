/** Sessions of one process, for as long as it lives. */
import type { PromptRecord, SessionItem, SessionRecord, SessionStore } from "../../core/ports/sessions.ts";
import {
  begun,
  changed,
  holdsFolder,
  isAllowed,
  isSameRequest,
  mostQueuedPrompts,
  newPrompt,
  newRecord,
  promptItem,
} from "../port/session-rules.ts";

interface Kept {
  session: SessionRecord;
  prompts: PromptRecord[];
  readonly items: SessionItem[];
}

export function createMemorySessions(now: () => number = Date.now): SessionStore {
  const kept = new Map<string, Kept>();
  const listeners = new Set<() => void>();
  const ring = () => {
    for (const listener of [...listeners]) queueMicrotask(listener);
  };
  const holderOf = (folder: string | undefined, except: string) =>
    folder === undefined
      ? undefined
      : [...kept.values()].find(({ session }) => session.id !== except && holdsFolder(session, folder))
          ?.session;
  const byKey = (owner: string, key: string | undefined) =>
    key === undefined
      ? undefined
      : [...kept.values()].find(({ session }) => session.owner === owner && session.key === key)?.session;

  return {
    async create(session, prompt, process) {
      const before = byKey(session.owner, session.key);
      if (before !== undefined)
        return isSameRequest(
          { session: before, prompt: kept.get(before.id)?.prompts[0] },
          { session, prompt },
        )
          ? { ok: true, session: before, isNew: false }
          : { ok: false, why: "key_reused", session: before };
      const holder = holderOf(session.folder, session.id);
      if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
      const record = newRecord(session, process, now());
      kept.set(session.id, { session: record, prompts: [newPrompt(prompt, 1, now())], items: [] });
      ring();
      return { ok: true, session: record, isNew: true };
    },
    async get(id) {
      return kept.get(id)?.session;
    },
    async list({ owner, states, parent, limit = 50, after } = {}) {
      const all = [...kept.values()].map(({ session }) => session).reverse();
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const found = all
        .slice(from)
        .filter((one) => owner === undefined || one.owner === owner)
        .filter((one) => parent === undefined || one.parent === parent)
        .filter((one) => states === undefined || states.includes(one.state));
      const sessions = found.slice(0, Math.min(limit, 500));
      return { sessions, next: found.length > sessions.length ? sessions.at(-1)?.id : undefined };
    },
    async change(id, change) {
      const one = kept.get(id);
      if (one === undefined) return { ok: false, why: "unknown" };
      if (!isAllowed(one.session, change)) return { ok: false, why: "moved", session: one.session };
      const next = changed(one.session, change, now());
      one.session = next.session;
      one.items.push(...next.items);
      if (change.dropPrompts === true) one.prompts = one.prompts.map(dropped);
      ring();
      return { ok: true, ...next };
    },
    async queuePrompt(id, prompt, { resume = false, maxQueued = mostQueuedPrompts } = {}) {
      const one = kept.get(id);
      if (one === undefined) return { ok: false, why: "unknown" };
      const before = prompt.key && one.prompts.find(({ key }) => key === prompt.key);
      if (before)
        return before.text === prompt.text
          ? { ok: true, prompt: before, session: one.session }
          : { ok: false, why: "key_reused" };
      if (one.session.state === "ended" && !resume) return { ok: false, why: "ended" };
      if (one.prompts.filter(({ state }) => state === "queued").length >= maxQueued)
        return { ok: false, why: "too_many" };
      const queued = newPrompt(prompt, one.prompts.length + 1, now());
      one.prompts.push(queued);
      ring();
      return { ok: true, prompt: queued, session: one.session };
    },
    async takePrompt(id, { process, promptId, steer = false, itemId }) {
      const one = kept.get(id);
      if (one === undefined) return { ok: false, why: "unknown" };
      const { session } = one;
      if (session.process !== undefined && session.process !== process) return { ok: false, why: "moved" };
      const prompt = one.prompts.find(
        (each) => each.state === "queued" && (promptId === undefined || each.id === promptId),
      );
      if (prompt === undefined) return { ok: false, why: "none" };
      const holder = steer ? undefined : holderOf(session.folder, id);
      if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
      const turn = steer ? session.turn : session.turn + 1;
      const taken: PromptRecord = { ...prompt, state: "taken", turn };
      one.prompts = one.prompts.map((each) => (each === prompt ? taken : each));
      const next = changed(
        session,
        { facts: steer ? {} : begun(turn, process), items: [promptItem(taken, turn, itemId)] },
        now(),
      );
      one.session = next.session;
      one.items.push(...next.items);
      ring();
      return { ok: true, prompt: taken, ...next };
    },
    async prompts(id) {
      return kept.get(id)?.prompts ?? [];
    },
    async items(id, { after = 0, limit = 500 } = {}) {
      return kept.get(id)?.items.slice(after, after + Math.min(limit, 5_000)) ?? [];
    },
    async remove(id) {
      const state = kept.get(id)?.session.state;
      if (state !== "ended" && state !== "idle") return false;
      kept.delete(id);
      ring();
      return true;
    },
    async asked(process) {
      return [...kept.values()]
        .filter(({ session }) => session.process === process)
        .filter(
          ({ session, prompts }) =>
            session.cancelAsked !== undefined || prompts.some(({ state }) => state === "queued"),
        )
        .map(({ session }) => session.id);
    },
    async leftAgents() {
      return [...kept.values()]
        .map(({ session }) => session)
        .filter(({ process, agentProcess }) => process === undefined && agentProcess !== undefined);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function dropped(prompt: PromptRecord): PromptRecord {
  return prompt.state === "queued" ? { ...prompt, state: "dropped" } : prompt;
}
