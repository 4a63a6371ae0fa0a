/** The words that a pattern about commands begins with: `^git\s+push\b` speaks of `git push` only. */

export interface PatternHead {
  /** Only a text that begins with them matches. */
  readonly anchored: boolean;
  readonly words: readonly string[];
  /** The last word may go on: `^git pu` also matches `git pull`. */
  readonly open: boolean;
}

/** Undefined: no plain words. A word here turns "may concern" into "cannot", so reading ends at any doubt. */
export function patternHead(source: string): PatternHead | undefined {
  if (hasAlternatives(source)) return undefined;
  const anchored = source.startsWith("^");
  let rest = anchored ? source.slice(1) : source.replace(START_OR_SEPARATOR, "");
  const words: string[] = [];
  let word = "";
  let open = true;
  while (rest !== "") {
    const [taken = "", literal, gap] = STEP.exec(rest) ?? [];
    if (taken === "") break;
    rest = rest.slice(taken.length);
    open = false;
    if (literal !== undefined) {
      word += literal.replace("\\", "");
      open = true;
    } else if (gap !== undefined && word !== "") {
      words.push(word);
      word = "";
    }
  }
  if (word !== "") words.push(word);
  return words.length === 0 ? undefined : { anchored, words, open: open && word !== "" };
}

/** Whether a command whose words are known up to the first dynamic one can match a pattern with this head. */
export function mayBeginWith(
  { argv, dynamic }: { readonly argv: readonly string[]; readonly dynamic: readonly number[] },
  { words, open }: PatternHead,
): boolean {
  const known = dynamic[0] ?? argv.length;
  return words.every((word, index) => {
    const given = argv[index];
    if (index >= known) return true;
    if (given === undefined) return false;
    return open && index === words.length - 1 ? given.startsWith(word) : given === word;
  });
}

/** `(?:^|[;&|]\s*)`: the start of a command, written for a whole line. */
const START_OR_SEPARATOR = /^\((?:\?:)?\^\|(?:\[[^\]]*\]|\\s|\\b| )(?:\\s)?[*+]?\)/;

/** A literal character, white space, or a word boundary; none of them optional. */
const STEP = /^(?:([\w/@:-]|\\[./-])(?![*?{+])|((?: |\\s)\+?)(?![*?{+])|\\b)/;

/** A bar outside of groups and classes. */
function hasAlternatives(source: string): boolean {
  const flat = source.replace(/\\[\s\S]/g, "_").replace(/\[[^\]]*\]/g, "_");
  let depth = 0;
  for (const char of flat) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) return true;
  }
  return false;
}
