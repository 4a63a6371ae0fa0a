/** Which of the files below a folder a program opens, as its options say. What is not certain counts as opened. */

import { type Arg, GLOB, isLiteral, LITERAL } from "./arg.ts";
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
  const unnamed = globs.filter(({ text }) => text.startsWith("!"));
  const without = textsOf([...valuesOf(spec.without), ...unnamed]).map((text) => text.replace(/^!/, ""));
  const withoutFiles = textsOf(valuesOf(spec.withoutFiles));
  const withoutFolders = textsOf(valuesOf(spec.withoutFolders)).map((text) => text.replace(/\/+$/, ""));
  // Where some filters name files and others leave them out, the last one that fits counts: then nothing is certain.
  const isMixed = named.length > 0 && (unnamed.length > 0 || withoutFiles.length > 0);
  // A pattern without quotes stands for itself, or for names that it fits.
  const isPlain = named.every(({ kind }) => kind === LITERAL || kind === GLOB);
  return {
    ...(named.length > 0 && isPlain && !isMixed && { only: named.map(({ text }) => text) }),
    ...(without.length > 0 && !isMixed && { without }),
    ...(withoutFiles.length > 0 && !isMixed && { withoutFiles }),
    ...(withoutFolders.length > 0 && { withoutFolders }),
    // A pattern that names hidden files opens them.
    ...(spec.hiddenBy !== undefined && named.length === 0 && !isGiven(spec.hiddenBy, seen) && SKIPS_HIDDEN),
    ...(followsLinks(spec, seen) && FOLLOWS_LINKS),
  };
}

function textsOf(values: readonly Arg[]): string[] {
  return values.filter(isLiteral).map(({ text }) => text);
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
