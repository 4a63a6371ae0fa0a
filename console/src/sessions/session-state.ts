/** How a session stands, in one word, and whether its agent works. */
import type { Session } from "toolgate/contract";

/** `ended` says nothing; how it ended does. */
export function stateOf({ state, end }: Pick<Session, "state" | "end">): string {
  return state === "ended" ? (end ?? "ended") : state;
}

/** A turn is under way, or about to be. */
export function isActive({ state }: Pick<Session, "state">): boolean {
  return state !== "idle" && state !== "ended";
}
