/** What the holder of a token may do over HTTP, and who the holder is. */
import type { Caller } from "../../core/call/call.ts";

/** Each by itself: whoever may call tools may not thereby approve them. */
export const rights = ["call", "read", "approve", "admin"] as const;

export type Right = (typeof rights)[number];

export function isRight(value: unknown): value is Right {
  return rights.includes(value as Right);
}

export interface Principal {
  /** The caller of every call made with this token: its name is the principal of approvals, grants, limits and records. */
  readonly caller: Caller;
  readonly rights: ReadonlySet<Right>;
}

/** Who asks for a public route without a token. */
export const nobody: Principal = Object.freeze({
  caller: Object.freeze({ id: "nobody", capabilities: Object.freeze([]) }),
  rights: new Set<Right>(),
});
