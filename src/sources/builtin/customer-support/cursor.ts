/** Where a list continues, as text that a model hands back. It names a row and grants nothing: the scope is applied to every page. */
import type { PageKey } from "./store.ts";

export function toCursor([createdAt, id]: PageKey): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

/** Undefined: no list of ours gave it out. */
export function fromCursor(cursor: string): PageKey | undefined {
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
