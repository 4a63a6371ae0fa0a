/** Looks for words in their order among those of a command, past what may be the values of options. */
import { isSetting, knowsAllOptions, takesNextWord } from "./options-before-words.ts";

export interface PlacedWord {
  readonly text: string;
  readonly index: number;
  /** May be no word of its own, but the value of the option before it: for certain, or perhaps. */
  readonly passable: true | "maybe" | false;
}

/** All that is no option. */
export function wordsOf(
  argv: readonly string[],
  isOptionAt: (index: number) => boolean,
): readonly PlacedWord[] {
  const [program = ""] = argv;
  return argv.flatMap((text, index) =>
    isOptionAt(index)
      ? []
      : [{ text, index, passable: isPassable(argv, index, isOptionAt(index - 1), program) }],
  );
}

function isPassable(
  argv: readonly string[],
  index: number,
  behindOption: boolean,
  program: string,
): PlacedWord["passable"] {
  if (index === 0) return false;
  if (isSetting(program, argv[index] ?? "")) return true;
  const option = argv[index - 1] ?? "";
  if (!behindOption || option.includes("=") || option === "--") return false;
  if (takesNextWord(program, option)) return true;
  return knowsAllOptions(program) ? false : "maybe";
}

interface FoundWords {
  readonly found: true | "maybe" | false;
  /** The words were found, or those there are do not speak against it. */
  readonly mayGoOn: boolean;
}

/** One pass over the words, however many of them may be values. */
export function findWords(
  words: readonly PlacedWord[],
  wanted: readonly string[],
  anywhere: boolean,
): FoundWords {
  if (wanted.length === 0) return { found: true, mayGoOn: true };
  let found: FoundWords["found"] = false;
  // How sure it is that the first so many wanted words stand before this place.
  let reached: (FoundWords["found"] | undefined)[] = [true];
  for (const { text, passable } of words) {
    const next: typeof reached = anywhere ? [true] : [];
    for (const [count, sure = false] of reached.entries()) {
      if (sure === false) continue;
      if (text === wanted[count]) next[count + 1] = surer(next[count + 1], sure);
      if (passable !== false) next[count] = surer(next[count], passable === true ? sure : "maybe");
    }
    const whole = next[wanted.length];
    if (whole === true) return { found: true, mayGoOn: true };
    if (whole === "maybe") found = "maybe";
    next.length = Math.min(next.length, wanted.length);
    reached = next;
    if (reached.length === 0) break;
  }
  return { found, mayGoOn: found !== false || reached.some((sure) => sure !== undefined && sure !== false) };
}

function surer(one: FoundWords["found"] | undefined, other: FoundWords["found"]): FoundWords["found"] {
  return one === true || other === true ? true : other;
}
