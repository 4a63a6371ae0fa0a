/** Which commands a permission means: words at the start, or a text with wildcards. */

/** `any`: any characters. `one`: one character. `rest`: nothing, or a blank and any characters. */
export type TextPart = string | { readonly wild: "any" | "one" | "rest" };

export type CommandText =
  | { readonly parts: readonly TextPart[] }
  /** A regular expression for how the text begins. */
  | { readonly regex: string };

const any = { wild: "any" } as const;
const one = { wild: "one" } as const;
const rest = { wild: "rest" } as const;

/** The command with these words in front, and whatever follows. */
export function prefixText(prefix: string): CommandText {
  return { parts: [prefix.trim(), rest] };
}

export function exactText(text: string): CommandText {
  return { parts: [text.trim()] };
}

/**
 * `*` stands for any characters, `?` (if it is one) for one. `open`: whether a blank and `*` at the end also
 * stand for nothing; `alone`: if there is no other wildcard.
 */
export function globText(
  glob: string,
  options: { readonly question: boolean; readonly open: "always" | "alone" | "never" },
): CommandText {
  const text = glob.trim();
  const stars = text.split("*").length - 1;
  const mayBeOpen = options.open === "always" || (options.open === "alone" && stars === 1);
  const endsOpen = / \*$/.test(text) && mayBeOpen;
  const body = endsOpen ? text.slice(0, -2) : text;
  const pieces = body.split(options.question ? /([*?])/ : /(\*)/).filter((piece) => piece !== "");
  const parts = pieces.map(
    (piece): TextPart => (piece === "*" ? any : piece === "?" && options.question ? one : piece),
  );
  return { parts: endsOpen ? [...parts, rest] : parts };
}

export const everyCommand: CommandText = { parts: [any] };

export function meansEverything(text: CommandText): boolean {
  if ("regex" in text) return /^\^?(?:\.\*|\.\+|)\$?$/.test(text.regex);
  return text.parts.every((part) => typeof part !== "string") && text.parts.some((part) => part !== one);
}

/** The same text, if it is nothing but plain words, with or without more behind them. */
export function plainWords(
  text: CommandText,
): { readonly words: readonly string[]; readonly whole: boolean } | undefined {
  if ("regex" in text) return undefined;
  const [first, second, ...more] = text.parts;
  if (typeof first !== "string" || more.length > 0 || (second !== undefined && second !== rest))
    return undefined;
  const words = first.trim().split(/\s+/);
  return words.every((word) => plainWord.test(word)) && !isAssignment(words[0])
    ? { words, whole: second === undefined }
    : undefined;
}

/** A word that means itself in every shell. */
const plainWord = /^[\w@%+:,./=-]+$/;

function isAssignment(word = ""): boolean {
  return /^\w+\+?=/.test(word);
}

/** The plain words that it certainly begins with: what a wider rule can go by. */
export function leadingWords(text: CommandText): readonly string[] {
  if ("regex" in text) {
    // What is optional or has alternatives is not certain, and the last word may go on.
    const head = /^\^?((?:[\w@%:,=/ -]|\\[.\-/])+)(.?)/.exec(text.regex);
    if (head === null || hasAlternatives(text.regex)) return [];
    return wholeWords((head[1] ?? "").replaceAll("\\", ""), "x");
  }
  const [first, second] = text.parts;
  if (typeof first !== "string") return [];
  return wholeWords(first, second === undefined || second === rest ? "" : "x");
}

/** `next`: what stands behind the text; where something does, the last word may go on. */
function wholeWords(text: string, next: string): readonly string[] {
  const words = `${text}${next}`.trimStart().split(/\s+/);
  const certain = next === "" ? words : words.slice(0, -1);
  const until = certain.findIndex((word) => !plainWord.test(word));
  const plain = until === -1 ? certain : certain.slice(0, until);
  return isAssignment(plain[0]) ? [] : plain;
}

function hasAlternatives(regex: string): boolean {
  return regex.replaceAll(/\\[\s\S]|\[[^\]]*\]/g, "").includes("|");
}

/** Whether every character of it means itself in a shell, so that words without quotes can be compared. */
export function isPlain(text: CommandText): boolean {
  if ("regex" in text)
    return !/["'`<>;&#!~$]|\\["'\\`$|nrtux0]|\(\?(?!:)/.test(text.regex.replace(/\$$/, ""));
  const said = text.parts.filter((part) => typeof part === "string").join("");
  return /^[\w@%+:,./= -]*$/.test(said) && !isAssignment(said.trimStart());
}

export interface Wildcards {
  readonly any: string;
  readonly one: string;
  /** How a blank is written. */
  readonly blank: string;
}

/** For words that are joined by one blank each. */
export const inWords: Wildcards = { any: "[\\s\\S]*", one: "[\\s\\S]", blank: " " };
/** For text as it was written. */
export const asWritten: Wildcards = { any: "[\\s\\S]*", one: "[\\s\\S]", blank: "\\s+" };
/** For text as it was written, where no wildcard reaches into another command or an expansion. */
export const inOneCommand: Wildcards = {
  any: "(?:[^;&|<>()`$\\\\\\n\"'{}]|\"[^\"$`\\\\]*\"|'[^']*')*",
  one: "[^;&|<>()`$\\\\\\n\"'{}]",
  blank: "[ \\t]+",
};

/** A regular expression for the whole text, without anchors. */
export function toSource(text: CommandText, wildcards: Wildcards): string {
  if ("regex" in text) {
    const said = text.regex.replace(/^\^/, "");
    const bounded =
      wildcards === inOneCommand
        ? said.replaceAll(/\\[\s\S]|\[[^\]]*\]|\./g, (part) => (part === "." ? wildcards.one : part))
        : said;
    return `(?:${bounded})${wildcards.any}`;
  }
  return text.parts
    .map((part) => {
      if (typeof part === "string") return escaped(part).replaceAll(/\s+/g, wildcards.blank);
      if (part.wild === "rest") return `(?:${wildcards.blank}${wildcards.any})?`;
      return wildcards[part.wild];
    })
    .join("");
}

/** Whether `toSource` can keep it from reaching into another command. */
export function canBeBounded(text: CommandText): boolean {
  return !("regex" in text) || !/\[\^|\\[SWDBP]|\(\?/.test(text.regex);
}

export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll("\\/", "/");
}
