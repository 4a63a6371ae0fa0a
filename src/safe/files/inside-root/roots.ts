/** The directories that operations may not leave: resolved once, known again by identity, not by name. */
import { type BigIntStats, realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Grip, Grips } from "./grips/grip.ts";
import { partsOf, startsWith } from "./request-path.ts";

export interface Root {
  readonly real: string;
  readonly realParts: readonly string[];
  /** As configured, perhaps through links: a request may use either spelling. */
  readonly givenParts: readonly string[];
  readonly identity: BigIntStats;
  /** Not a root by itself: only the way to paths that were opened for one call. */
  readonly opened?: true;
}

/** Throws on roots that cannot be used: a wrong configuration must not start. */
export function resolveRoots(given: readonly string[]): readonly [Root, ...Root[]] {
  const [first, ...rest] = given.map(resolveRoot);
  if (first === undefined) throw new TypeError("inside-root needs at least one root directory");
  return [first, ...rest];
}

export function resolveRoot(given: string): Root {
  if (typeof given !== "string" || given.includes("\0") || !isAbsolute(given)) {
    throw new TypeError(`inside-root: a root must be an absolute path, got ${JSON.stringify(given)}`);
  }
  let real: string;
  let identity: BigIntStats;
  try {
    real = realpathSync.native(given);
    identity = statSync(real, { bigint: true });
  } catch (error) {
    throw new Error(`inside-root: the root ${JSON.stringify(given)} cannot be used`, { cause: error });
  }
  if (!identity.isDirectory())
    throw new Error(`inside-root: the root ${JSON.stringify(given)} is not a directory`);
  return { real, realParts: partsOf(real), givenParts: partsOf(given), identity };
}

/** The root that holds this path by name, the deepest first, and what is left below it. */
export function rootOf(
  roots: readonly Root[],
  parts: readonly string[],
): { readonly root: Root; readonly below: readonly string[] } | undefined {
  let best: { root: Root; below: readonly string[] } | undefined;
  for (const root of roots) {
    for (const prefix of [root.realParts, root.givenParts]) {
      const below = parts.slice(prefix.length);
      if (startsWith(parts, prefix) && (best === undefined || below.length < best.below.length))
        best = { root, below };
    }
  }
  return best;
}

/** Undefined when something else is at the root's path now: a directory put in its place is not the root. */
export function takeRoot(grips: Grips, root: Root): Grip | undefined {
  const grip = grips.takeRoot(root.real);
  const { dev, ino, birthtimeNs } = root.identity;
  if (grip.stats.dev === dev && grip.stats.ino === ino && grip.stats.birthtimeNs === birthtimeNs) return grip;
  grips.release(grip);
  return undefined;
}
