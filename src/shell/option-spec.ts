/** What is known of a program's options: which take a value, and whether it is text, a path or more. */

import { wordSet } from "../core/text/words.ts";

export interface OptionSpec {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters with a value that is text or a number; with a path they read; with a path they write. */
  readonly values?: string;
  readonly reads?: string;
  readonly writes?: string;
  /** Letters with a file that names further paths (`file -f`), so that what is read is not known. */
  readonly lists?: string;
  /** Letters whose value can only be attached (`-C3`), or that take one on some systems only. */
  readonly attached?: string;
  /** Letters that are known and never harmless: they run, write or send something. */
  readonly refuses?: string;
  /**
   * `name` flag, `name=` value, `name=<` path read, `name=>` path written, `name=@` file that names paths,
   * `name=!` program that is run, `name=&` address, `name?` value only after `=`, `name!` and `name?!`
   * refused.
   */
  readonly long?: string;
  /** The list is whole and the program takes the beginning of a name for the name, as getopt_long does. */
  readonly abbreviates?: boolean;
  /** Options after which operands no longer say what is read: links are followed, or a list is. */
  readonly follows?: string;
  /** `-5` is accepted. */
  readonly numbers?: boolean;
  /** No option of the program writes or runs anything, so a word that may be an option does no harm. */
  readonly free?: boolean;
  /** Writing is what the program is for, so an option that names the target adds nothing. */
  readonly writer?: boolean;
  /** Options end at the first operand. */
  readonly optionsFirst?: boolean;
  /** A letter takes the next word wherever it stands (`tree -Lo 2 out`), so it must be the last. */
  readonly lastTakesValue?: boolean;
  /** `@file` is replaced by the words in the file. */
  readonly responseFiles?: boolean;
  /** Without an operand it reads the directory it is in: always, or after one of these letters and names. */
  readonly readsHere?: true | string;
  /** It opens what lies in the folders that it is given: always, or after one of these letters and names. */
  readonly enters?: true | string;
  /** Of what lies there. */
  readonly reach?: ReachSpec;
  readonly operands?: Operands;
  /** Of an operand that is not there it opens the name with one of these behind it. */
  readonly endings?: string;
}

/** Letters and long names that say what of a folder is opened. */
export interface ReachSpec {
  /** Their values are patterns of the only names, and of names that are left out. */
  readonly only?: string;
  readonly without?: string;
  readonly withoutFiles?: string;
  readonly withoutFolders?: string;
  /** `-g '!x'` leaves out, `-g x` names. */
  readonly globs?: string;
  /** Names that begin with a dot are left out, unless one of these is given (a letter twice: given twice). */
  readonly hiddenBy?: string;
  /** Their values are kinds of files that are opened although hidden; `changes` redefines a kind. */
  readonly kinds?: {
    readonly by: string;
    readonly changes: string;
    readonly known: Readonly<Record<string, string>>;
  };
  /** Links are followed after one of these; `true`: unless one of `keepsLinks`. */
  readonly followsLinks?: true | string;
  readonly keepsLinks?: string;
}

/** `first-text`: the first operand is a pattern unless an option gave one; `second-written`: `uniq a b`. */
export type Operands = "paths" | "text" | "first-text" | "second-written";

export const FLAG = 1;
export const VALUE = 2;
export const READ_PATH = 3;
export const WRITE_PATH = 4;
export const ATTACHED = 5;
export const TARGET_PATH = 6;
export const PATH_LIST = 7;
export const PROGRAM = 8;
export const ADDRESS = 9;
export const REFUSED = 10;

type Asked =
  | "abbreviates"
  | "numbers"
  | "free"
  | "optionsFirst"
  | "lastTakesValue"
  | "responseFiles"
  | "operands";

export interface CompiledSpec extends Required<Pick<OptionSpec, Asked>> {
  readonly short: Uint8Array;
  readonly long: ReadonlyMap<string, number>;
  readonly follows: ReadonlySet<string> | undefined;
  readonly readsHere: true | ReadonlySet<string> | undefined;
  /** An option can name a file, so an unknown word can do so even where operands are text. */
  readonly namesPaths: boolean;
  readonly enters: true | ReadonlySet<string> | undefined;
  readonly reach: ReachSpec | undefined;
  readonly endings: readonly string[];
}

export function compileSpec(spec: OptionSpec): CompiledSpec {
  const written = spec.writer === true ? TARGET_PATH : WRITE_PATH;
  const short = compileLetters(spec, written);
  const long = new Map<string, number>();
  for (const token of (spec.long ?? "").split(/\s+/)) {
    const [, name, mark = ""] = /^([a-zA-Z0-9_-]+)(=[<>@!&]?|\?!?|!)?$/.exec(token) ?? [];
    if (name !== undefined) long.set(name, mark === "=>" ? written : (MARKS[mark] ?? FLAG));
  }
  const names = (text: string | undefined) => (text === undefined ? undefined : wordSet(text));
  return {
    short,
    long,
    abbreviates: spec.abbreviates ?? false,
    follows: names(spec.follows),
    numbers: spec.numbers ?? false,
    free: spec.free ?? false,
    optionsFirst: spec.optionsFirst ?? false,
    lastTakesValue: spec.lastTakesValue ?? false,
    responseFiles: spec.responseFiles ?? false,
    readsHere: spec.readsHere === true ? true : names(spec.readsHere),
    enters: spec.enters === true ? true : names(spec.enters),
    reach: spec.reach,
    namesPaths: [...short, ...long.values()].some((code) => code === READ_PATH || code === PATH_LIST),
    operands: spec.operands ?? "paths",
    endings: spec.endings?.split(" ") ?? [],
  };
}

/** Compiled at its first use: a hook judges one line and ends, and most lists are of no use to it. */
export function lazySpec(spec: OptionSpec): () => CompiledSpec {
  let compiled: CompiledSpec | undefined;
  return () => {
    compiled ??= compileSpec(spec);
    return compiled;
  };
}

function compileLetters(spec: OptionSpec, written: number): Uint8Array {
  const short = new Uint8Array(128);
  const set = (letters: string | undefined, code: number) => {
    for (const letter of letters ?? "") short[letter.charCodeAt(0)] = code;
  };
  set(spec.flags, FLAG);
  set(spec.values, VALUE);
  set(spec.reads, READ_PATH);
  set(spec.writes, written);
  set(spec.lists, PATH_LIST);
  set(spec.attached, ATTACHED);
  set(spec.refuses, REFUSED);
  return short;
}

const MARKS: Readonly<Record<string, number>> = {
  "": FLAG,
  "=": VALUE,
  "=<": READ_PATH,
  "=@": PATH_LIST,
  "=!": PROGRAM,
  "=&": ADDRESS,
  "?": ATTACHED,
  "!": REFUSED,
  "?!": REFUSED,
};

/** True when a program that is given this option without `=` takes the next word for its value. */
export function takesNextWord(code: number): boolean {
  return code !== FLAG && code !== ATTACHED && code !== REFUSED;
}

/** The one option that `name` is the beginning of; getopt_long refuses a beginning of several. */
export function unabbreviated(spec: CompiledSpec, name: string): string | undefined {
  if (!spec.abbreviates) return undefined;
  let found: string | undefined;
  for (const known of spec.long.keys()) {
    if (!known.startsWith(name)) continue;
    if (found !== undefined) return undefined;
    found = known;
  }
  return found;
}
