/** Tells whose token it is. The list is read anew after each change: a revoked token ends at once. */
import { timingSafeEqual } from "node:crypto";
import { StoreError } from "../../../core/ports/store-error.ts";
import type { TokenList, TokenRecord, TokenStore } from "../../../core/ports/tokens.ts";

import type { TokenHolder } from "../rights.ts";
import type { TokenCheck } from "../server-parts.ts";
import { hashToken } from "./give-token.ts";

export interface TokenCheckOptions {
  readonly tokens: Pick<TokenStore, "list">;
  /** Tokens that are not in the list: the owner's own. */
  readonly besides?: readonly TokenRecord[];
  readonly now?: () => number;
  /** Told once for every state of the list that cannot be used. */
  readonly onUnreadable?: (message: string) => void;
}

export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { tokens, besides = [], now = Date.now, onUnreadable = () => {} } = options;
  let seen: TokenList | undefined;
  let known = new Map<string, Known>();
  /** Tokens that were right since the list was read: the next request of a client costs no hash. */
  const proven = new Map<string, Known>();
  const take = (list: TokenList): undefined => {
    if (list === seen) return;
    if (!list.ok) onUnreadable(list.message);
    known = new Map([...besides, ...list.tokens].map((record) => [record.sha256, knownOf(record)]));
    seen = list;
    proven.clear();
  };
  /** Once for everything that arrived in the same moment. */
  let asked: { readonly pending: Promise<undefined> | undefined } | undefined;
  const refresh = (): Promise<undefined> | undefined => {
    if (asked === undefined) {
      const list = tokens.list();
      asked = { pending: list instanceof Promise ? list.then(take) : take(list) };
      setImmediate(() => {
        asked = undefined;
      });
    }
    return asked.pending;
  };
  const prove = (token: string): Known | undefined => {
    const sha256 = hashToken(token);
    const found = known.get(sha256);
    // The look-up is by hash, which nobody can steer; the comparison tells nothing by its time either.
    if (found === undefined || !timingSafeEqual(found.hash, Buffer.from(sha256, "hex"))) return undefined;
    proven.set(token, found);
    return found;
  };
  const find = (token: string): TokenHolder | undefined => {
    const found = proven.get(token) ?? prove(token);
    if (found === undefined) {
      if (seen?.ok === false && seen.isAway === true) throw new StoreError("unavailable", seen.message);
      return undefined;
    }
    return found.expiresAt !== undefined && now() >= found.expiresAt ? undefined : found.holder;
  };
  return {
    find(token) {
      const pending = refresh();
      return pending === undefined ? find(token) : pending.then(() => find(token));
    },
  };
}

interface Known {
  readonly hash: Buffer;
  readonly expiresAt: number | undefined;
  readonly holder: TokenHolder;
}

function knownOf({ name, rights, capabilities, sha256, expiresAt: until }: TokenRecord): Known {
  const expiresAt = until === undefined ? undefined : Date.parse(until);
  return {
    hash: Buffer.from(sha256, "hex"),
    expiresAt,
    holder: {
      expiresAt,
      caller: Object.freeze({
        id: name,
        capabilities: Object.freeze([...capabilities]),
        rights: Object.freeze([...rights]),
      }),
      rights: new Set(rights),
    },
  };
}
