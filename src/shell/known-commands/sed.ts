/** `sed`: a script that prints, deletes and substitutes reads; `w`, `e`, `r`, `-i` and the rest go beyond. */

import { type Arg, LITERAL } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import { lazySpec } from "../option-spec.ts";
import { type OptionSpec, parseOptions } from "../options.ts";
import { EXECUTE, WRITE } from "../walk.ts";

export const SED: OptionSpec = {
  flags: "abnErsuz",
  values: "e",
  attached: "iI",
  // A script in a file; a number here and no value on BSD, where the next word is the script.
  refuses: "fl",
  long:
    "quiet silent debug expression= file=! binary follow-symlinks regexp-extended separate unbuffered null-data zero-terminated line-length= in-place? posix " +
    "sandbox help version",
  abbreviates: true,
};

const SPEC = lazySpec(SED);

export function readSed(use: CommandUse): void {
  const { operands: words, seen, given } = parseOptions(use, SPEC(), 1);
  const inPlace = seen.some((name) => name === "i" || name === "I" || name === "in-place");
  // `sed -i '' s/a/b/ f`: on BSD the empty word says that no copy is kept; elsewhere it is an empty script.
  const operands = inPlace && words[0]?.kind === LITERAL && words[0].text === "" ? words.slice(1) : words;
  const scripts = given.filter(({ name }) => name === "e" || name === "expression").map(({ value }) => value);
  const first = scripts.length > 0 ? 0 : 1;
  const script = scripts.length > 0 || operands[0] === undefined ? scripts : [operands[0]];
  for (const part of script) {
    if (part.kind !== LITERAL) use.goesBeyond("the script is not known", EXECUTE);
    if (CommandUse.mayShift(part)) use.unknownPaths = true;
  }
  const only = script.length === 1 ? script[0]?.text : undefined;
  const problem = scriptProblem(only ?? script.map((part) => part.text).join("\n"));
  if (problem !== undefined) {
    use.goesBeyond(problem, EXECUTE);
    use.cannotTell(problem);
  }
  for (let i = first; i < operands.length; i++) {
    const operand = operands[i] as Arg;
    use.readPath(operand);
    if (inPlace) use.writePath(operand);
  }
  if (inPlace) use.goesBeyond("edits files in place", WRITE);
}

/** Why the script may do more than print; `undefined` when every command in it is known to be harmless. */
export function scriptProblem(script: string): string | undefined {
  if (PRINTS_LINES.test(script)) return undefined;
  const reader = new ScriptReader(script);
  while (!reader.done()) {
    const problem = reader.command();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

class ScriptReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  done(): boolean {
    this.#skip(SEPARATORS);
    return this.#at >= this.#text.length;
  }

  command(): string | undefined {
    if (this.#skip(COMMENT)) return undefined;
    if (!this.#address()) return "an address in the script is not understood";
    const letter = this.#text.charAt(this.#at++);
    if (/^[{}]$/.test(letter)) return undefined;
    if (/^[=dDgGhHnNpPxzF]$/.test(letter)) return this.#end();
    if (/^[lqQ]$/.test(letter)) return this.#end(COUNT);
    if (/^[:btT]$/.test(letter)) return this.#end(LABEL);
    if (/^[aic]$/.test(letter)) {
      // Seds differ on text that goes on after a backslash at the end of a line.
      this.#skip(TEXT);
      return this.#text.charAt(this.#at) === "\\" ? "text in the script goes on over lines" : undefined;
    }
    if (letter !== "s" && letter !== "y")
      return `the script uses the command ${letter === "" ? "(none)" : letter}`;
    const isRead =
      letter === "s" ? this.#substitute() && this.#skip(SUBSTITUTE_FLAGS) : this.#transliterate();
    return isRead ? this.#end() : "a substitution in the script is not understood";
  }

  /** Nothing but `last` may stand before the end of the command. */
  #end(last = BLANKS): string | undefined {
    this.#skip(last);
    this.#skip(BLANKS);
    const next = this.#text.charAt(this.#at);
    return /^[;\n}#]?$/.test(next) ? undefined : `the script goes on with ${next}`;
  }

  #address(): boolean {
    if (!this.#oneAddress()) return false;
    if (this.#skip(COMMA) && !this.#skip(RELATIVE) && !this.#oneAddress()) return false;
    this.#skip(NEGATION);
    return true;
  }

  #oneAddress(): boolean {
    if (this.#skip(LINE)) return true;
    const next = this.#text.charAt(this.#at);
    if (next !== "/" && next !== "\\") return true;
    const delimiter = next === "/" ? next : this.#text.charAt(this.#at + 1);
    this.#at += next === "/" ? 1 : 2;
    // Its flags may be none, so they are always found.
    return this.#isDelimiter(delimiter) && this.#pattern(delimiter) && this.#skip(PATTERN_FLAGS);
  }

  #substitute(): boolean {
    const delimiter = this.#text.charAt(this.#at++);
    return this.#isDelimiter(delimiter) && this.#pattern(delimiter) && this.#replacement(delimiter);
  }

  #transliterate(): boolean {
    const delimiter = this.#text.charAt(this.#at++);
    return this.#isDelimiter(delimiter) && this.#replacement(delimiter) && this.#replacement(delimiter);
  }

  #isDelimiter(delimiter: string): boolean {
    return delimiter !== "" && /^[!-/:-@^_`|~,]$/.test(delimiter);
  }

  /** A pattern up to its delimiter; inside brackets the delimiter is a plain character. */
  #pattern(delimiter: string): boolean {
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === "\\") this.#at++;
      else if (char === "\n") return false;
      else if (char === delimiter) {
        this.#at++;
        return true;
      } else if (char === "[") {
        BRACKETS.lastIndex = this.#at;
        if (!BRACKETS.test(this.#text)) return false;
        this.#at = BRACKETS.lastIndex - 1;
      }
    }
    return false;
  }

  #replacement(delimiter: string): boolean {
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === "\\") this.#at++;
      else if (char === delimiter) {
        this.#at++;
        return true;
      }
    }
    return false;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}

// `[]` and a backslash before `]` end differently from sed to sed, so they do not match here.
const BRACKETS = /\[\^?(?:\[:[a-z]+:\]|\\[^\]\n]|[^\]\\\n[])+\]/y;
const PRINTS_LINES = /^(?:\d+(?:,\d+)?|\d+,\$|\$)?[pdq]$/;
const SEPARATORS = /[\s;]*/y;
const COMMENT = /#[^\n]*/y;
const COUNT = /[ \t]*\d*/y;
const LABEL = /[ \t]*\w*/y;
const SUBSTITUTE_FLAGS = /[gpiIM0-9]*/y;
const BLANKS = /[ \t]*/y;
const COMMA = /[ \t]*,[ \t]*/y;
const RELATIVE = /[+~]\d+/y;
const NEGATION = /[ \t]*!*[ \t]*/y;
const LINE = /\d+(?:~\d+)?|\$/y;
const PATTERN_FLAGS = /[IM]*/y;
const TEXT = /[ \t]*(?:\\\n)?(?:[^\\\n]|\\[^\n])*/y;
