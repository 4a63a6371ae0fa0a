/** The notation of git's options: one word each, with a mark that says what its value is. */

export const FLAG = 1;
export const VALUE = 2;
export const READ_PATH = 3;
export const WRITE_PATH = 4;
/** A value only where it is attached: `-U5`, `--stat=80`. */
export const OPTIONAL = 5;
/** A file that names paths. */
export const PATH_LIST = 6;
export const ADDRESS = 7;
/** Text that may ask gpg: `%G?`. */
export const FORMAT = 8;
export const OPTIONAL_FORMAT = 9;
/** `1,5:file`, `:function:file`. */
export const LINES_OF_FILE = 10;
/** Starts a program, or does something else that nobody approved by naming the subcommand. */
export const REFUSED = 11;
export const REFUSED_VALUE = 12;
export const REFUSED_OPTIONAL = 13;

const MARKS: Readonly<Record<string, number>> = {
  "": FLAG,
  "=": VALUE,
  "=<": READ_PATH,
  "=>": WRITE_PATH,
  "=*": PATH_LIST,
  "=@": ADDRESS,
  "=%": FORMAT,
  "=:": LINES_OF_FILE,
  "?": OPTIONAL,
  "?%": OPTIONAL_FORMAT,
  "!": REFUSED,
  "=!": REFUSED_VALUE,
  "?!": REFUSED_OPTIONAL,
};

export interface OptionTable {
  /** By character code. */
  readonly short: Uint8Array;
  readonly long: ReadonlyMap<string, number>;
}

/** `q,quiet F,file=< stat? n`: a letter, a name or both, then the mark. */
export function optionTable(...texts: readonly string[]): OptionTable {
  const short = new Uint8Array(128);
  const long = new Map<string, number>();
  for (const token of texts.join(" ").split(/\s+/)) {
    if (token === "") continue;
    const [, letter, name, mark] =
      /^(?:([A-Za-z0-9])(?=,|[^\w-]|$),?)?([\w-]+)?([=?!]?[<>*@%:!]?)$/.exec(token) ?? [];
    const code = MARKS[mark ?? "-"];
    if (code === undefined || (letter === undefined && name === undefined))
      throw new Error(`${token} is no option`);
    if (letter !== undefined) short[letter.charCodeAt(0)] = code;
    if (name !== undefined) long.set(name, code);
  }
  return { short, long };
}

/** True when the option takes the next word where nothing is attached to it. */
export function takesNext(code: number): boolean {
  return (
    code !== FLAG &&
    code !== OPTIONAL &&
    code !== OPTIONAL_FORMAT &&
    code !== REFUSED &&
    code !== REFUSED_OPTIONAL
  );
}
