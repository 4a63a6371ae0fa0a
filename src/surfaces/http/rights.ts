/** What the holder of a token may do over HTTP, and who the holder is. */
import type { Caller } from "../../core/call/call.ts";
import type { Right } from "../../core/ports/tokens.ts";

export { isRight, type Right, rights } from "../../core/ports/tokens.ts";

export interface TokenHolder {
  /** The caller of every call with this token; its id stands in approvals, grants, limits and records. */
  readonly caller: Caller;
  readonly rights: ReadonlySet<Right>;
  /** When the token ends. Undefined: never, or nobody knows. */
  readonly expiresAt?: number | undefined;
}

/** Who asks for a public route without a token. */
export const nobody: TokenHolder = Object.freeze({
  caller: Object.freeze({ id: "nobody", capabilities: Object.freeze([]) }),
  rights: new Set<Right>(),
});
