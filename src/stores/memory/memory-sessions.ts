/** Sessions of one process, for as long as it lives. */
import type { PromptRecord, SessionItem, SessionRecord, SessionStore } from "../../core/ports/sessions.ts";
import { nextPrompt, queueing, taking } from "../port/prompt-rules.ts";
import {
  changed,
  createdBefore,
  holdsFolder,
  isAllowed,
  mostQueuedPrompts,
  newPrompt,
  newRecord,
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
        return createdBefore(
          { session: before, prompt: kept.get(before.id)?.prompts[0] },
          { session, prompt },
        );
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
      const { session, prompts } = one;
      const queued = queueing(session, prompts, { prompt, resume, maxQueued }, now());
      if (!queued.ok) return queued;
      if (queued.isNew) {
        prompts.push(queued.prompt);
        ring();
      }
      return { ok: true, prompt: queued.prompt, session };
    },
    async takePrompt(id, taker) {
      const one = kept.get(id);
      if (one === undefined) return { ok: false, why: "unknown" };
      const { session } = one;
      const found = nextPrompt(session, one.prompts, taker);
      if (!found.ok) return found;
      const holder = taker.steer === true ? undefined : holderOf(session.folder, id);
      if (holder !== undefined) return { ok: false, why: "folder_busy", holder };
      const { taken, change } = taking(session, found.prompt, taker);
      one.prompts = one.prompts.map((each) => (each === found.prompt ? taken : each));
      const next = changed(session, change, now());
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
