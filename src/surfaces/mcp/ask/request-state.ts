/** What a modern client carries back with an answer: sealed by us, and bound to who asked for what. */

import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { fingerprint } from "../../../core/input/fingerprint.ts";
import type { Json } from "../../../core/input/json.ts";

export interface StateFacts {
  /** Who asked, and what they may do: an answer counts only from somebody who may do the same now. */
  readonly who: Json;
  /** What was asked for: the same request must come back. */
  readonly about: Json;
}

export interface StateParts {
  readonly id: string;
  /** Changes with every use. */
  readonly turn: number;
  readonly expiresAt: number;
}

export type ReadState =
  | ({ readonly ok: true } & StateParts)
  /** `foreign`: of another process, as after a restart; nothing is known about it. */
  | { readonly ok: false; readonly why: "foreign" | "wrong" | "expired" };

const maxCharacters = 1_000;

/** `secret`: of all processes that clients may come back to. Default: of this one alone. */
export function createRequestStates(secret: Uint8Array = randomBytes(32)) {
  const derive = (what: string) => createHmac("sha256", secret).update(`mcp request state ${what}`).digest();
  const key = derive("key");
  const keyId = derive("name").subarray(0, 6).toString("base64url");
  const sign = (head: string, { who, about }: StateFacts) =>
    createHmac("sha256", key)
      .update(JSON.stringify([head, who, fingerprint(about)]))
      .digest("base64url");
  return {
    write({ id, turn, expiresAt }: StateParts, facts: StateFacts): string {
      const head = [keyId, id, turn, expiresAt].join(".");
      return `${head}.${sign(head, facts)}`;
    },
    read(state: string, facts: StateFacts, now: number): ReadState {
      const [ofKey, id = "", turn = "", expires = "", mac = "", ...more] = state
        .slice(0, maxCharacters)
        .split(".");
      if (ofKey !== keyId) return { ok: false, why: "foreign" };
      const right = Buffer.from(sign([ofKey, id, turn, expires].join("."), facts));
      const given = Buffer.from(mac);
      if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right))
        return { ok: false, why: "wrong" };
      if (Number(expires) <= now) return { ok: false, why: "expired" };
      return { ok: true, id, turn: Number(turn), expiresAt: Number(expires) };
    },
  };
}
