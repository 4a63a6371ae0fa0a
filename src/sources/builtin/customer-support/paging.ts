/** Which page of a list is asked for. A cursor names a row and grants nothing: each page obeys the scope. */
import { defaultLimit } from "./fields.ts";
import type { PageKey, PageRequest } from "./store.ts";

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Undefined: no list of ours gave the cursor out. */
export function pageRequest({ limit = defaultLimit, cursor }: Paging): PageRequest | undefined {
  if (cursor === undefined) return { limit };
  const after = fromCursor(cursor);
  return after && { limit, after };
}

/** Where a list continues, as text that a model hands back. */
export function toCursor([createdAt, id]: PageKey): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

function fromCursor(cursor: string): PageKey | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined;
    const [createdAt, id] = parsed as unknown[];
    if (!Number.isSafeInteger(createdAt) || typeof id !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(id))
      return undefined;
    return [createdAt as number, id];
  } catch {
    return undefined;
  }
}
