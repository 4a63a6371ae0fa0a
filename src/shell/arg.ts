/** One word of a command after expansion, as far as it is known before the command runs. */

import type { Slot } from "./loops.ts";
import { isNumberText } from "./walk.ts";

export const LITERAL = 0;
/** A pattern the shell replaces by file names. */
export const GLOB = 1;
/** Exactly one word, its text not known (`"$x"`). */
export const ONE = 2;
/** Any number of words, their text not known (`$x`, `"$@"`). */
export const MANY = 3;

export interface Arg {
  /** The literal text, or for other kinds the word as written without its quotes. */
  text: string;
  kind: number;
  /** The literal text before the first unknown part: `./` in `"./$x"`. */
  prefix: string;
  /** The unknown part can hold text chosen by somebody else: command output, file names, file contents. */
  tainted: boolean;
  /** Variables that must come from the environment, or `tainted` would be wrong. */
  names: string[] | undefined;
  /** An unknown part that is never a path of interest: a number, or the pipe of `<(...)`. */
  pathless: boolean;
  /** Set when nothing but variables of loops is unknown in `text`: where they stand. */
  slots: readonly Slot[] | undefined;
}

export function literalArg(text: string): Arg {
  return {
    text,
    kind: LITERAL,
    prefix: text,
    tainted: false,
    names: undefined,
    pathless: false,
    slots: undefined,
  };
}

export function unknownArg(text: string, kind: number): Arg {
  return { text, kind, prefix: "", tainted: true, names: undefined, pathless: false, slots: undefined };
}

/** True when the program may take this word for an option: a file in the workspace can be called `-exec`. */
export function maybeOption(arg: Arg): boolean {
  if (arg.kind === MANY) return true;
  if (arg.kind === LITERAL) return arg.text.length > 1 && arg.text.charCodeAt(0) === 45;
  return arg.prefix === "" || arg.prefix.charCodeAt(0) === 45;
}

/** A number, or words that are all numbers, whether it is known which or not. */
export function isNumber(arg: Arg): boolean {
  return arg.kind === LITERAL ? isNumberText(arg.text) : arg.pathless && arg.prefix === UNKNOWN_NUMBER;
}

/** The `prefix` of a word that is nothing but a number not known yet. */
export const UNKNOWN_NUMBER = "0";

export function isLiteral(arg: Arg | undefined): arg is Arg & { kind: typeof LITERAL } {
  return arg !== undefined && arg.kind === LITERAL;
}
