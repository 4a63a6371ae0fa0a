/** Which of the files below a folder a program opens, as its options say. What is not certain counts as opened. */

import { GLOB, isLiteral, LITERAL } from "./arg.ts";
import type { TreeReach } from "./command-use.ts";
import type { ReachSpec } from "./option-spec.ts";
import type { ParsedOptions } from "./options.ts";

export function reachOf(spec: ReachSpec | undefined, { seen, given }: ParsedOptions): TreeReach {
  if (spec === undefined) return {};
  const valuesOf = (names: string | undefined) => {
    const wanted = names?.split(" ") ?? [];
    return given.filter(({ name }) => wanted.includes(name)).map(({ value }) => value);
  };
  const globs = valuesOf(spec.globs);
  const named = [...valuesOf(spec.only), ...globs.filter(({ text }) => !text.startsWith("!"))];
  const without = [
    ...valuesOf(spec.without).filter(isLiteral),
    ...globs.filter(isLiteral).filter(({ text }) => text.startsWith("!")),
  ].map(({ text }) => text.replace(/^!/, "").replace(/\/$/, ""));
  // A pattern without quotes stands for itself, or for names that it fits.
  const only = named.every(({ kind }) => kind === LITERAL || kind === GLOB)
    ? named.map(({ text }) => text)
    : [];
  return {
    ...(only.length > 0 && { only }),
    ...(without.length > 0 && { without }),
    // A pattern that names hidden files opens them.
    ...(spec.hiddenBy !== undefined && named.length === 0 && !isGiven(spec.hiddenBy, seen) && SKIPS_HIDDEN),
    ...(followsLinks(spec, seen) && FOLLOWS_LINKS),
  };
}

const SKIPS_HIDDEN = { skipsHidden: true } as const;
const FOLLOWS_LINKS = { followsLinks: true } as const;

function followsLinks({ followsLinks, keepsLinks }: ReachSpec, seen: readonly string[]): boolean {
  if (followsLinks === undefined) return false;
  if (followsLinks === true) return !isGiven(keepsLinks ?? "", seen);
  return isGiven(followsLinks, seen);
}

/** `uu` in a list means: `u` given twice. */
function isGiven(names: string, seen: readonly string[]): boolean {
  return names.split(" ").some((name) => {
    const [letter] = name;
    if (name.length === 2 && letter === name[1]) return seen.filter((one) => one === letter).length > 1;
    return seen.includes(name);
  });
}
