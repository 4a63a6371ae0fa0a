/** The words in the name of a field, however they are joined. */

/** Longer names are nobody's field, only work. */
export const longestName = 64;

/** `shellCommand`, `SHELL_COMMAND` and `shell-command2` are the same two words. */
export function wordsInName(name: string): readonly string[] {
  const found = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return found.map((word) => word.toLowerCase());
}
