/**
 * Reads the options of a command as its program does; what is not on the program's list is not understood.
 */

import { type Arg, GLOB, LITERAL, literalArg, maybeOption, ONE } from "./arg.ts";
import { CommandUse } from "./command-use.ts";
import { loopChoices } from "./loops.ts";
import {
  ADDRESS,
  ATTACHED,
  type CompiledSpec,
  FLAG,
  PATH_LIST,
  PROGRAM,
  READ_PATH,
  REFUSED,
  TARGET_PATH,
  takesNextWord,
  unabbreviated,
  VALUE,
  WRITE_PATH,
} from "./option-spec.ts";
import { EXECUTE, OPAQUE, WRITE } from "./walk.ts";

export { type CompiledSpec, compileSpec, type OptionSpec } from "./option-spec.ts";

interface GivenValue {
  readonly name: string;
  readonly value: Arg;
}

export interface ParsedOptions {
  readonly operands: readonly Arg[];
  /** Letters and full long names seen, known or not. */
  readonly seen: readonly string[];
  /** The texts that options were given, in their order: `-e` of sed. */
  readonly given: readonly GivenValue[];
}

interface Reading {
  readonly use: CommandUse;
  readonly spec: CompiledSpec;
  readonly operands: Arg[];
  readonly seen: string[];
  readonly given: GivenValue[];
}

/** Reads the options of `use` from word `start`; says what goes beyond; returns the operands. */
export function parseOptions(use: CommandUse, spec: CompiledSpec, start: number): ParsedOptions {
  const { args } = use;
  const reading: Reading = { use, spec, operands: [], seen: [], given: [] };
  const { operands } = reading;
  for (let i = start; i < args.length; i++) {
    const arg = args[i] as Arg;
    const text = arg.text;
    if (spec.optionsFirst && operands.length > 0) {
      operands.push(arg);
    } else if (arg.kind !== LITERAL) {
      if (!knownOption(reading, arg)) {
        unknownWord(reading, arg);
        operands.push(arg);
      }
    } else if (text.charCodeAt(0) !== 45 || text.length === 1) {
      if (spec.responseFiles && text.charCodeAt(0) === 64) readResponseFile(use, text);
      operands.push(arg);
    } else if (text === "--") {
      for (i++; i < args.length; i++) operands.push(args[i] as Arg);
    } else i += text.charCodeAt(1) === 45 ? readLong(reading, text, i) : readShort(reading, text, i);
  }
  return reading;
}

function readLong(reading: Reading, text: string, at: number): number {
  const { use, seen } = reading;
  const equals = text.indexOf("=");
  const written = equals < 0 ? text.slice(2) : text.slice(2, equals);
  const { name, code } = longOption(reading, written);
  seen.push(name);
  const joined = equals < 0 ? "" : text.slice(equals + 1);
  if (code === undefined || (code === FLAG && equals >= 0)) {
    notUnderstood(use, `--${written}`);
    mayOpen(use, joined, at);
    return 0;
  }
  if (code === REFUSED) {
    refuse(use, `--${name}`);
    mayOpen(use, joined, at);
  }
  if (!takesNextWord(code) && (code !== ATTACHED || equals < 0)) return 0;
  if (equals < 0) return takeNext(reading, code, at, name);
  takeValue(reading, code, literalArg(text.slice(equals + 1)), name);
  return 0;
}

function longOption({ use, spec }: Reading, written: string): { name: string; code: number | undefined } {
  const find = use.walk.parts.findLongOption;
  const exact = find(spec.long, written);
  if (exact !== undefined) return { name: written, code: exact };
  const name = unabbreviated(spec, written);
  if (name === undefined) return { name: written, code: undefined };
  // Its effect is read as the program has it today, but another version may take the same letters for another
  // option.
  use.goesBeyond(`option --${written} is short for --${name}`, EXECUTE);
  return { name, code: find(spec.long, name) };
}

function readShort(reading: Reading, text: string, at: number): number {
  const { use, spec, seen, operands } = reading;
  if (spec.numbers && /^-\d+$/.test(text)) return 0;
  for (let j = 1; j < text.length; j++) {
    const letter = text.charAt(j);
    const code = spec.short[text.charCodeAt(j)] ?? 0;
    seen.push(letter);
    if (code === 0) {
      notUnderstood(use, `-${letter}`);
      mayOpen(use, text.slice(j + 1), at);
      return 0;
    }
    if (code === FLAG) continue;
    if (code === REFUSED) {
      refuse(use, `-${letter}`);
      mayOpen(use, text.slice(j + 1), at);
      return 0;
    }
    const last = j + 1 === text.length;
    if (spec.lastTakesValue && !last) notUnderstood(use, text);
    if (code === ATTACHED) return 0;
    if (!last) {
      takeValue(reading, code, literalArg(text.slice(j + 1)), letter);
      return 0;
    }
    const value = use.args[at + 1];
    // Programs of BSD, and all with POSIXLY_CORRECT, read no option after the first operand: there this word
    // is a file.
    if (code === VALUE && operands.length > 0 && value !== undefined && spec.operands !== "text")
      use.readPath(value);
    return takeNext(reading, code, at, letter);
  }
  return 0;
}

function takeNext(reading: Reading, code: number, at: number, name: string): number {
  const { use, spec } = reading;
  const value = use.args[at + 1];
  if (value === undefined) {
    if (!spec.free) use.goesBeyond(`option ${name} without its value`, EXECUTE);
    return 0;
  }
  // A word that becomes several gives the option one of them and leaves the others to be options or operands.
  if (CommandUse.mayShift(value)) {
    if (!spec.free) use.goesBeyond(`${value.text} may become several words`, EXECUTE);
    if (spec.operands !== "text") use.readPath(value);
  }
  takeValue(reading, code, value, name);
  return 1;
}

function takeValue({ use, given }: Reading, code: number, value: Arg, name: string): void {
  switch (code) {
    case READ_PATH:
      use.readPath(value);
      break;
    case PATH_LIST:
      use.readPath(value);
      use.unknownPaths = true;
      use.goesBeyond(`option ${name} reads what a file names`, EXECUTE);
      break;
    case TARGET_PATH:
      use.writePath(value);
      break;
    case WRITE_PATH:
      use.writePath(value);
      use.goesBeyond(`option ${name} writes a file`, WRITE);
      break;
    case PROGRAM:
      openIfPath(use, value);
      use.unknownPaths = true;
      use.goesBeyond(`option ${name} runs a program`, EXECUTE);
      break;
    case ADDRESS:
      use.network = true;
      use.goesBeyond(`option ${name} names an address`, EXECUTE);
      break;
    default:
      given.push({ name, value });
  }
}

function notUnderstood(use: CommandUse, option: string): void {
  const reason = `it is not known what the option ${option} does`;
  use.goesBeyond(reason, EXECUTE);
  use.unknownPaths = true;
  // Once is enough: each time costs as much as the line is long.
  if (use.risk !== OPAQUE) use.cannotTell(reason);
}

function refuse(use: CommandUse, option: string): void {
  use.goesBeyond(`option ${option} does more than read`, EXECUTE);
  use.unknownPaths = true;
}

/**
 * `awk -f FILE`, `jq --from-file=FILE`: what such an option does with its value is not told here, but it may
 * open it.
 */
function mayOpen(use: CommandUse, joined: string, at: number): void {
  openIfPath(use, joined === "" ? use.args[at + 1] : literalArg(joined));
}

function openIfPath(use: CommandUse, value: Arg | undefined): void {
  if (value?.kind === LITERAL && /^(?!-)(?:[^{\s]*[./~]|[\w-]+$)/.test(value.text)) use.readPath(value);
}

/** `strings @file`: the words in the file are options and operands. */
function readResponseFile(use: CommandUse, text: string): void {
  use.readPath(literalArg(text.slice(1)));
  use.unknownPaths = true;
  if (use.risk !== OPAQUE) use.cannotTell("its arguments stand in a file; write them into the line");
}

/** `--width="$x"`, `-w"$x"`: the option is known, only its value is not. */
function knownOption(reading: Reading, arg: Arg): boolean {
  const { use, spec, seen, given } = reading;
  // `--include=*.ts`: whatever it matches begins like that, and is that option again.
  const named = arg.kind === ONE || (arg.kind === GLOB && /^--[\w-]+=/.test(arg.prefix));
  if (!named || arg.prefix.charCodeAt(0) !== 45 || spec.lastTakesValue) return false;
  const option = arg.prefix.startsWith("--")
    ? longBefore(reading, arg.prefix)
    : letterBefore(spec, arg.prefix);
  if (option === undefined) return false;
  const { code, names, rest } = option;
  if (code !== VALUE && code !== READ_PATH && code !== PATH_LIST && code !== ATTACHED) return false;
  if (code === READ_PATH || code === PATH_LIST) use.unknownPaths = true;
  seen.push(...names);
  const value = { ...arg, prefix: arg.prefix.slice(rest), text: arg.text.slice(rest), slots: undefined };
  given.push({ name: names.at(-1) ?? "", value });
  return true;
}

interface OptionBefore {
  readonly code: number | undefined;
  readonly names: readonly string[];
  /** Where the value begins. */
  readonly rest: number;
}

function longBefore(reading: Reading, prefix: string): OptionBefore | undefined {
  const equals = prefix.indexOf("=");
  if (equals < 0) return undefined;
  const { name, code } = longOption(reading, prefix.slice(2, equals));
  return { code, names: [name], rest: equals + 1 };
}

function letterBefore(spec: CompiledSpec, prefix: string): OptionBefore | undefined {
  for (let j = 1; j < prefix.length; j++) {
    const code = spec.short[prefix.charCodeAt(j)] ?? 0;
    if (code !== FLAG) return { code, names: [...prefix.slice(1, j + 1)], rest: j + 1 };
  }
  return undefined;
}

/** A word that may be any option, as far as it is not known: `grep "$x"` with `-f.env` in it. */
function unknownWord({ use, spec }: Reading, arg: Arg): void {
  if (!maybeOption(arg)) return;
  if (!spec.free) use.goesBeyond(`${arg.text} may be an option`, EXECUTE);
  // A glob is left to the rules, which look at the names that it stands for.
  if (!spec.namesPaths || arg.kind === GLOB || arg.pathless) return;
  if (arg.tainted && loopChoices(use.walk, arg) === undefined) use.unknownPaths = true;
}
