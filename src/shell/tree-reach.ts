/** Which files below a folder a program opens, by its options. What is not certain counts as opened. */

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
  const without = [...textsOf(valuesOf(spec.without)), ...textsOf(unnamed).map((text) => text.slice(1))];
  const withoutFiles = textsOf(valuesOf(spec.withoutFiles));
  const withoutFolders = textsOf(valuesOf(spec.withoutFolders)).map((text) => text.replace(/\/+$/, ""));
  // Where some filters name files and others leave them out, the last one that fits counts: then nothing is
  // certain.
  const isMixed = named.length > 0 && (unnamed.length > 0 || withoutFiles.length > 0);
  // A pattern without quotes stands for itself, or for names that it fits. Globs are read like lines of
  // `.gitignore`: a comment, an empty one and white space at the end say nothing.
  const isPlain = named.every(
    ({ kind, text }) => (kind === LITERAL || kind === GLOB) && !/^#|^$|\s$/.test(text),
  );
  const skipsHidden = spec.hiddenBy !== undefined && named.length === 0 && !isGiven(spec.hiddenBy, seen);
  const hiddenFiles = skipsHidden ? hiddenFilesOf(spec, valuesOf(spec.kinds?.by), seen) : [];
  return {
    ...(named.length > 0 && isPlain && !isMixed && { only: named.map(({ text }) => text) }),
    ...(without.length > 0 && !isMixed && { without }),
    ...(withoutFiles.length > 0 && !isMixed && { withoutFiles }),
    ...(withoutFolders.length > 0 && { withoutFolders }),
    // A pattern that names hidden files opens them.
    ...(skipsHidden && SKIPS_HIDDEN),
    ...(hiddenFiles.length > 0 && { hiddenFiles }),
    ...(followsLinks(spec, seen) && FOLLOWS_LINKS),
  };
}

function hiddenFilesOf(
  { kinds }: ReachSpec,
  values: readonly Arg[],
  seen: readonly string[],
): readonly string[] {
  if (kinds === undefined || values.length === 0) return [];
  if (isGiven(kinds.changes, seen)) return ["*"];
  return values.flatMap((value) => {
    const known = isLiteral(value) && Object.hasOwn(kinds.known, value.text) ? kinds.known[value.text] : "*";
    return (known ?? "*").split(" ");
  });
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
