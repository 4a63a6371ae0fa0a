/** A whole store from outside of src: one object in memory behind the port. Shows what another kind of store has to bring. */
import type { Grant, GrantQuery } from "../../src/core/call/approval.ts";
import type { Mode } from "../../src/core/call/call.ts";
import type { Accepted, PinStore, Seen } from "../../src/core/ports/pins.ts";
import type { LimitAnswer, LimitStore } from "../../src/core/ports/ports.ts";
import type { Store } from "../../src/core/ports/store.ts";
import { StoreError } from "../../src/core/ports/store-error.ts";
import type { TaskEnd, TaskStore } from "../../src/core/ports/tasks.ts";
import type { TokenList, TokenStore } from "../../src/core/ports/tokens.ts";
import { createMemorySessions } from "../../src/stores/memory/memory-sessions.ts";
import { createFakeApprovals } from "./fake-approvals.ts";
import { createFakeLedger } from "./fake-ledger.ts";

export interface FakeStore extends Store {
  /** From now on nothing can be written. */
  fail(): void;
}

export function createFakeStore(): FakeStore {
  let problem: StoreError | undefined;
  const check = () => {
    if (problem !== undefined) throw problem;
  };
  const ledger = createFakeLedger(check);
  const approvals = createFakeApprovals();
  const close = async () => {
    await approvals.close();
    problem = new StoreError("closed", "The fake store is closed.");
  };
  return {
    ledger,
    approvals,
    grants: createFakeGrants(),
    limits: createFakeLimits(),
    pins: createFakePins(),
    tokens: createFakeTokens(),
    modes: createFakeModes(),
    tasks: createFakeTasks(),
    sessions: createMemorySessions(),
    processes: { id: "fake-1", living: async () => ["fake-1"] },
    failingAnchors: () => [],
    redactText: (text) => text.replace(/ghp_\w{36,}/g, "[redacted]"),
    fail: () => {
      problem = new StoreError("full", "The fake store is full.");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function createFakeTasks(): TaskStore {
  const ends = new Map<string, TaskEnd>();
  const key = (...names: unknown[]) => JSON.stringify(names);
  return {
    endOf: (callerId, sessionId, turnId) => ends.get(key(callerId, sessionId, turnId)),
    end: async ({ callerId, sessionId, turnId }, end) => void ends.set(key(callerId, sessionId, turnId), end),
    start: async (callerId, sessionId) => void ends.delete(key(callerId, sessionId, undefined)),
  };
}

export function createFakeGrants() {
  const grants = new Map<string, Grant>();
  const holds = (grant: Grant, query: GrantQuery): boolean =>
    grant.caller === query.caller &&
    grant.toolId === query.toolId &&
    grant.definitionHash === query.definitionHash &&
    (grant.expiresAt === undefined || grant.expiresAt > query.now) &&
    (grant.scope !== "session" || (grant.sessionId !== undefined && grant.sessionId === query.sessionId)) &&
    (grant.scope !== "project" || grant.project === query.project) &&
    query.meaningHashes().includes(grant.meaningHash) &&
    (grant.inputHash === undefined ? !query.exactOnly : grant.inputHash === query.inputHash());
  return {
    add: async (grant: Grant) => void grants.set(grant.id, Object.freeze({ ...grant })),
    find: async (query: GrantQuery) => [...grants.values()].find((grant) => holds(grant, query)),
    list: async (now = 10) =>
      [...grants.values()].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now),
    revoke: async (id: string) => grants.delete(id),
  };
}

export function createFakeLimits(): LimitStore {
  const calls: { readonly key: string; at: number }[] = [];
  const places: { readonly key: string }[] = [];
  const keyOf = ({ limit, who }: { readonly limit: string; readonly who: string }) =>
    JSON.stringify([limit, who]);
  return {
    async take(claims, now, dry): Promise<LimitAnswer> {
      for (const [index, claim] of claims.entries()) {
        const key = keyOf(claim);
        const { window, concurrent } = claim;
        if (concurrent !== undefined && places.filter((one) => one.key === key).length >= concurrent)
          return { ok: false, index, why: "concurrent", retryAfterMs: undefined };
        if (window === undefined) continue;
        const { max, windowMs } = window;
        const own = calls.filter((one) => one.key === key);
        // A clock that was set back: what came later than now came just now.
        const ahead = Math.max(0, ...own.map(({ at }) => at - now));
        for (const one of own) one.at -= ahead;
        const within = own.filter(({ at }) => at > now - windowMs);
        if (within.length < max) continue;
        const freesAt = (within.at(-max)?.at ?? now) + windowMs;
        return { ok: false, index, why: "window", retryAfterMs: Math.max(1, freesAt - now) };
      }
      if (dry) return { ok: true, release: undefined };
      const held = claims.flatMap((claim) => {
        if (claim.window !== undefined) calls.push({ key: keyOf(claim), at: now });
        return claim.concurrent === undefined ? [] : [{ key: keyOf(claim) }];
      });
      places.push(...held);
      const release = () => {
        for (const place of held.splice(0)) places.splice(places.indexOf(place), 1);
      };
      return { ok: true, release: held.length === 0 ? undefined : release };
    },
  };
}

function createFakePins(): PinStore {
  const accepted = new Map<string, Accepted>();
  const seen = new Map<string, Seen>();
  const restarts = new Map<string, number>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  return {
    accepted: async (key) => accepted.get(key),
    seen: async (key) => seen.get(key),
    async acceptFirst(key, offered) {
      const known = accepted.get(key);
      if (known !== undefined) return known;
      accepted.set(key, offered);
      changed();
      return undefined;
    },
    async change(key, change) {
      const next = change(accepted.get(key) ?? { tools: [] }, seen.get(key));
      accepted.set(key, next);
      changed();
      return next;
    },
    saw: async (key, what) => void seen.set(key, what),
    async forget(key) {
      for (const map of [accepted, seen, restarts]) map.delete(key);
      changed();
    },
    async askRestart(key) {
      restarts.set(key, Math.max(Date.now(), (restarts.get(key) ?? 0) + 1));
      changed();
    },
    restartAskedAt: async (key) => restarts.get(key),
    async *changes(signal) {
      while (!signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        listeners.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        listeners.delete(resolve);
        if (!signal.aborted) yield;
      }
    },
  };
}

/** Answers later, as a store behind a network does. */
function createFakeTokens(): TokenStore {
  let list: TokenList = { ok: true, tokens: [] };
  return {
    list: async () => list,
    async change(change) {
      const { tokens, result } = change(list.tokens);
      if (tokens !== list.tokens) list = { ok: true, tokens };
      return result;
    },
  };
}

function createFakeModes(): Store["modes"] {
  const modes = new Map<string, Mode>();
  const keyOf = (sessionId: string, callerId: string | undefined) => JSON.stringify([sessionId, callerId]);
  return {
    of: (sessionId, callerId) =>
      (sessionId && (modes.get(keyOf(sessionId, callerId)) ?? modes.get(keyOf(sessionId, undefined)))) ||
      "act",
    set(sessionId, mode, callerId) {
      if (callerId === undefined)
        for (const key of modes.keys()) if (JSON.parse(key)[0] === sessionId) modes.delete(key);
      modes.set(keyOf(sessionId, callerId), mode);
      return Promise.resolve();
    },
  };
}
