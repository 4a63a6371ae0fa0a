/**
 * What goes to the issuer and comes back with a person: good once, for five minutes, and only in the tab that began.
 * Nothing is kept for those who never come back. The state is sealed, and nonce and code verifier are made of it and of
 * the tab's secret again, so that another replica with the same key can go on.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface BegunSignIn {
  readonly state: string;
  /** For the tab that began, which shows it when it comes back. */
  readonly tab: string;
  readonly nonce: string;
  /** Of PKCE: goes along, while the verifier stays here. */
  readonly challenge: string;
}

export interface ReturnedSignIn {
  readonly state: string;
  readonly tab: string;
  readonly redirectUrl: string;
}

export type TakenSignIn =
  | {
      readonly ok: true;
      readonly nonce: string;
      readonly verifier: string;
      /** False: somebody has used it already. */
      use(): boolean;
    }
  | { readonly ok: false; readonly why: "unknown" | "expired" };

const lifeMs = 5 * 60_000;
const form = /^([\w-]{22})\.([0-9a-z]{1,12})\.([\w-]{43})$/;

export function createSignInStates(key: Uint8Array, now: () => number) {
  const derive = (...facts: readonly string[]) =>
    createHmac("sha256", key).update(JSON.stringify(facts)).digest("base64url");
  /** Until when they would have been good. */
  const used = new Map<string, number>();
  return {
    begin(redirectUrl: string): BegunSignIn {
      const id = randomBytes(16).toString("base64url");
      const tab = randomBytes(32).toString("base64url");
      const until = (now() + lifeMs).toString(36);
      return {
        state: `${id}.${until}.${derive("state", id, until, tab, redirectUrl)}`,
        tab,
        nonce: derive("nonce", id, tab),
        challenge: createHash("sha256")
          .update(derive("verifier", id, tab))
          .digest("base64url"),
      };
    },
    /** Remembers nothing: strangers can begin and come back without end. */
    take({ state, tab, redirectUrl }: ReturnedSignIn): TakenSignIn {
      const [, id = "", until = "", seal = ""] = form.exec(state) ?? [];
      const right = Buffer.from(derive("state", id, until, tab, redirectUrl));
      const given = Buffer.from(seal);
      if (given.length !== right.length || !timingSafeEqual(given, right))
        return { ok: false, why: "unknown" };
      const expiresAt = Number.parseInt(until, 36);
      if (expiresAt <= now()) return { ok: false, why: "expired" };
      return {
        ok: true,
        nonce: derive("nonce", id, tab),
        verifier: derive("verifier", id, tab),
        use() {
          for (const [old, end] of used) if (end <= now()) used.delete(old);
          if (used.has(id)) return false;
          used.set(id, expiresAt);
          return true;
        },
      };
    },
  };
}
