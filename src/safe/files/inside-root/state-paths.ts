/** Our own state, configuration and tokens: always refused, by name and by identity, there or not. */
import { type BigIntStats, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { quietly } from "../../../core/run/quietly.ts";
import { realLocation } from "./grips/real-location.ts";
import { foldName } from "./protected-names.ts";
import { partsOf, startsWith } from "./request-path.ts";

export interface StatePaths {
  /** Is this path one of ours, or below one? */
  holds(parts: readonly string[]): boolean;
  /** Would removing or moving this path take one of ours with it? */
  isBelow(parts: readonly string[]): boolean;
  /** The identities they have now: a bind mount or hard link has another name but not another identity. */
  identities(): readonly BigIntStats[];
}

export function resolveStatePaths(given: readonly string[]): StatePaths {
  const spellings = given.flatMap((path) => {
    if (!isAbsolute(path)) throw new TypeError(`a state path must be absolute, got ${JSON.stringify(path)}`);
    return spellingsOf(path).map((spelling) => partsOf(spelling).map(foldName));
  });
  const someOwn = (parts: readonly string[], fits: (folded: string[], own: string[]) => boolean): boolean => {
    if (spellings.length === 0) return false;
    const folded = parts.map(foldName);
    return spellings.some((own) => fits(folded, own));
  };
  return {
    holds: (parts) => someOwn(parts, (folded, own) => startsWith(folded, own)),
    isBelow: (parts) => someOwn(parts, (folded, own) => startsWith(own, folded)),
    // Not reachable for us is not reachable for the tool; its name is refused all the same.
    identities: () =>
      given.flatMap((path) => quietly(() => statSync(path, { bigint: true, throwIfNoEntry: false })) ?? []),
  };
}

/** As written, and as it really is. */
export function spellingsOf(path: string): string[] {
  // Without a real one nobody gets there by any name: a file stands where a folder should be.
  return [...new Set([path, quietly(() => realLocation(path).path) ?? path])];
}
