/** Option lists of programs: only a full name on the list is accepted, so new, abbreviated or misspelt options are not. */

import { type Arg, LITERAL, literalArg, maybeOption, ONE } from "./arg.ts";
import { CommandUse } from "./command-use.ts";
import { EXECUTE, WRITE } from "./walk.ts";

export interface OptionSpec {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters with a value; with a path they read; with a path they write. */
  readonly values?: string;
  readonly reads?: string;
  readonly writes?: string;
  /** Letters whose value can only be attached (`-C3`). */
  readonly attached?: string;
  /** `name` flag, `name=` value, `name=<` path read, `name=>` path written, `name?` value only after `=`. */
  readonly long?: string;
  /** Letters and long names after which links below a folder are followed, so that its name no longer says what is read. */
  readonly follows?: string;
  /** `-5` is accepted. */
  readonly numbers?: boolean;
  /** No option of the program writes or runs anything, so a word that may be an option does no harm. */
  readonly free?: boolean;
  /** Writing is what the program is for, so an option that names the target adds nothing. */
  readonly writer?: boolean;
  /** Options end at the first operand. */
  readonly optionsFirst?: boolean;
  readonly operands?: Operands;
}

/** `first-text`: the first operand is a pattern unless an option gave one; `second-written`: `uniq in out`. */
type Operands = "paths" | "text" | "first-text" | "second-written";

const FLAG = 1;
const VALUE = 2;
const READ_PATH = 3;
const WRITE_PATH = 4;
const ATTACHED = 5;
const TARGET_PATH = 6;

export interface CompiledSpec {
  readonly short: Uint8Array;
  readonly long: ReadonlyMap<string, number>;
  readonly follows: ReadonlySet<string> | undefined;
  readonly numbers: boolean;
  readonly free: boolean;
  readonly optionsFirst: boolean;
  readonly operands: Operands;
}

export function compileSpec(spec: OptionSpec): CompiledSpec {
  const short = new Uint8Array(128);
  const set = (letters: string | undefined, code: number) => {
    for (const letter of letters ?? "") short[letter.charCodeAt(0)] = code;
  };
  set(spec.flags, FLAG);
  set(spec.values, VALUE);
  set(spec.reads, READ_PATH);
  const written = spec.writer === true ? TARGET_PATH : WRITE_PATH;
  set(spec.writes, written);
  set(spec.attached, ATTACHED);
  const long = new Map<string, number>();
  for (const token of (spec.long ?? "").split(/\s+/)) {
    const [, name, mark] = /^([a-zA-Z0-9-]+)(=[<>]?|\?)?$/.exec(token) ?? [];
    if (name === undefined) continue;
    long.set(name, mark === undefined ? FLAG : mark === "=>" ? written : (MARKS[mark] ?? FLAG));
  }
  return {
    short,
    long,
    follows: spec.follows === undefined ? undefined : new Set(spec.follows.split(" ")),
    numbers: spec.numbers ?? false,
    free: spec.free ?? false,
    optionsFirst: spec.optionsFirst ?? false,
    operands: spec.operands ?? "paths",
  };
}

const MARKS: Readonly<Record<string, number>> = {
  "=": VALUE,
  "=<": READ_PATH,
  "=>": WRITE_PATH,
  "?": ATTACHED,
};

interface ParsedOptions {
  readonly operands: readonly Arg[];
  /** Letters and long names seen, known or not. */
  readonly seen: readonly string[];
}

/** Reads the options of `use` from word `start`; says what goes beyond; returns the operands. */
export function parseOptions(use: CommandUse, spec: CompiledSpec, start: number): ParsedOptions {
  const { args } = use;
  const operands: Arg[] = [];
  let seen: string[] | undefined;
  for (let i = start; i < args.length; i++) {
    const arg = args[i] as Arg;
    const text = arg.text;
    if (spec.optionsFirst && operands.length > 0) {
      operands.push(arg);
      continue;
    }
    if (arg.kind !== LITERAL) {
      if (!knownLongOption(use, spec, arg)) {
        if (!spec.free && maybeOption(arg)) use.goesBeyond(`${text} may be an option`, EXECUTE);
        operands.push(arg);
      }
      continue;
    }
    if (text.charCodeAt(0) !== 45 || text.length === 1) {
      operands.push(arg);
      continue;
    }
    if (text === "--") {
      for (i++; i < args.length; i++) operands.push(args[i] as Arg);
      break;
    }
    seen ??= [];
    i += text.charCodeAt(1) === 45 ? readLong(use, spec, text, i, seen) : readShort(use, spec, text, i, seen);
  }
  return { operands, seen: seen ?? NONE };
}

const NONE: readonly string[] = [];

function readLong(use: CommandUse, spec: CompiledSpec, text: string, at: number, seen: string[]): number {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
  const code = use.walk.parts.findLongOption(spec.long, name);
  seen.push(name);
  if (code === undefined || (code === FLAG && equals >= 0)) {
    use.goesBeyond(`option --${name} is not known to be harmless`, EXECUTE);
    return 0;
  }
  if (code === FLAG || (code === ATTACHED && equals < 0)) return 0;
  if (equals >= 0) {
    takeValue(use, code, literalArg(text.slice(equals + 1)), name);
    return 0;
  }
  return takeNext(use, spec, code, at, name);
}

function readShort(use: CommandUse, spec: CompiledSpec, text: string, at: number, seen: string[]): number {
  if (spec.numbers && /^-\d+$/.test(text)) return 0;
  for (let j = 1; j < text.length; j++) {
    const letter = text.charAt(j);
    const code = spec.short[text.charCodeAt(j)] ?? 0;
    seen.push(letter);
    if (code === 0) {
      use.goesBeyond(`option -${letter} is not known to be harmless`, EXECUTE);
      return 0;
    }
    if (code === FLAG) continue;
    if (code === ATTACHED) return 0;
    if (j + 1 < text.length) {
      takeValue(use, code, literalArg(text.slice(j + 1)), letter);
      return 0;
    }
    return takeNext(use, spec, code, at, letter);
  }
  return 0;
}

function takeNext(use: CommandUse, spec: CompiledSpec, code: number, at: number, name: string): number {
  const value = use.args[at + 1];
  if (value === undefined) {
    if (!spec.free) use.goesBeyond(`option ${name} without its value`, EXECUTE);
    return 0;
  }
  // A word that becomes several gives the option one of them and leaves the others to be options themselves.
  if (!spec.free && CommandUse.mayShift(value))
    use.goesBeyond(`${value.text} may become several words`, EXECUTE);
  takeValue(use, code, value, name);
  return 1;
}

function takeValue(use: CommandUse, code: number, value: Arg, name: string): void {
  if (code === READ_PATH) use.readPath(value);
  else if (code === TARGET_PATH) use.writePath(value);
  else if (code === WRITE_PATH) {
    use.writePath(value);
    use.goesBeyond(`option ${name} writes a file`, WRITE);
  }
}

/** `--width="$x"`: the option is known, only its value is not. */
function knownLongOption(use: CommandUse, spec: CompiledSpec, arg: Arg): boolean {
  if (arg.kind !== ONE || !arg.prefix.startsWith("--")) return false;
  const equals = arg.prefix.indexOf("=");
  if (equals < 0) return false;
  const code = use.walk.parts.findLongOption(spec.long, arg.prefix.slice(2, equals));
  if (code !== VALUE && code !== READ_PATH && code !== ATTACHED) return false;
  if (code === READ_PATH) use.unknownPaths = true;
  return true;
}

/** What operands of a plain program mean. */
export function readOperands(use: CommandUse, spec: CompiledSpec, parsed: ParsedOptions): void {
  const { operands, seen } = parsed;
  // A link in a repository may lead anywhere: `grep -R key docs` with a `docs/x` that is a link to ~/.ssh.
  if (spec.follows !== undefined && seen.some((name) => spec.follows?.has(name))) use.unknownPaths = true;
  switch (spec.operands) {
    case "text":
      return;
    case "first-text": {
      const given = seen.some((name) => GIVES_PATTERN.has(name));
      for (let i = given ? 0 : 1; i < operands.length; i++) use.readPath(operands[i] as Arg);
      if (
        !given &&
        operands[0]?.kind !== LITERAL &&
        operands.length > 0 &&
        CommandUse.mayShift(operands[0] as Arg) &&
        use.shiftsPaths(operands[0] as Arg)
      ) {
        use.unknownPaths = true;
      }
      return;
    }
    case "second-written":
      if (operands.length > 1 || operands.some(CommandUse.mayShift)) {
        use.goesBeyond("the second operand is written", WRITE);
        const target = operands[1];
        if (target !== undefined) use.writePath(target);
        else use.unknownPaths = true;
      }
      if (operands[0] !== undefined) use.readPath(operands[0]);
      return;
    default:
      for (const operand of operands) use.readPath(operand);
  }
}

const GIVES_PATTERN = new Set(["e", "f", "regexp", "file", "files"]);
