/** Tells whose token it is. The list is looked at on every request, so that a token that was taken back is refused at once. */
import { timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import type { Principal } from "../rights.ts";
import type { TokenCheck } from "../server-parts.ts";
import { hashToken } from "./give-token.ts";
import { readTokens, type TokenRecord, tokensFile } from "./token-list.ts";

export interface TokenFileOptions {
  readonly stateFolder: string;
  /** Tokens that are not in the list: the owner's own. */
  readonly besides?: readonly TokenRecord[];
  readonly now?: () => number;
  /** Told once for every state of the file that cannot be used. */
  readonly onUnreadable?: (message: string) => void;
}

export interface TokenFileCheck extends TokenCheck {
  find(token: string): Principal | undefined;
}

export function createTokenCheck(options: TokenFileOptions): TokenFileCheck {
  const { stateFolder, besides = [], now = Date.now, onUnreadable = () => {} } = options;
  const file = tokensFile(stateFolder);
  let seen: string | undefined;
  let known = new Map<string, Known>();
  /** Those that were right since the list was read, so that a client's next request costs no hash. Found by the engine's own seeded hash, like any key of a map. */
  const proven = new Map<string, Known>();
  let isFresh = false;
  const refresh = () => {
    // Once for everything that arrived in the same moment.
    if (isFresh) return;
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    const stats = statSync(file, { throwIfNoEntry: false });
    // A list is replaced as a whole, so every change is a file of its own.
    const identity =
      stats === undefined ? "" : `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.mode}`;
    if (identity === seen) return;
    const list = readTokens(stateFolder);
    if (!list.ok) onUnreadable(list.message);
    known = new Map([...besides, ...list.tokens].map((record) => [record.sha256, knownOf(record)]));
    seen = identity;
    proven.clear();
  };
  const prove = (token: string): Known | undefined => {
    const sha256 = hashToken(token);
    const found = known.get(sha256);
    // The look-up is by hash, which nobody can steer; the comparison tells nothing by its time either.
    if (found === undefined || !timingSafeEqual(found.hash, Buffer.from(sha256, "hex"))) return undefined;
    proven.set(token, found);
    return found;
  };
  return {
    find(token) {
      refresh();
      const found = proven.get(token) ?? prove(token);
      if (found === undefined) return undefined;
      return found.expiresAt !== undefined && now() >= found.expiresAt ? undefined : found.principal;
    },
  };
}

interface Known {
  readonly hash: Buffer;
  readonly expiresAt: number | undefined;
  readonly principal: Principal;
}

function knownOf({ name, rights, capabilities, sha256, expiresAt }: TokenRecord): Known {
  return {
    hash: Buffer.from(sha256, "hex"),
    expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
    principal: {
      caller: Object.freeze({ id: name, capabilities: Object.freeze([...capabilities]) }),
      rights: new Set(rights),
    },
  };
}
