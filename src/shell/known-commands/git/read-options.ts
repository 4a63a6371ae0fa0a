/**
 * Reads options as git does: letters in clusters, values attached or apart, `--no-x`, and long names cut
 * short. Nobody needs to cut a name short, and a newer git may mean another option by it, so that goes beyond
 * the plain use; what its value names is seen all the same.
 */
import { type Arg, LITERAL, literalArg, maybeOption, ONE } from "../../arg.ts";
import { CommandUse } from "../../command-use.ts";
import { EXECUTE, WRITE } from "../../walk.ts";
import {
  ADDRESS,
  FLAG,
  FORMAT,
  LINES_OF_FILE,
  OPTIONAL,
  OPTIONAL_FORMAT,
  PATH_LIST,
  READ_PATH,
  REFUSED,
  REFUSED_OPTIONAL,
  REFUSED_VALUE,
  takesNext,
  VALUE,
  WRITE_PATH,
} from "./option-table.ts";
import type { Subcommand } from "./subcommand.ts";

export interface ReadOptions {
  /** Before `--`: revisions, remotes or paths. */
  readonly operands: readonly Arg[];
  /** After `--`: paths. */
  readonly paths: readonly Arg[];
  /** Letters and long names, the latter in full where they are known. */
  readonly seen: ReadonlySet<string>;
  readonly addresses: readonly Arg[];
}

export function readOptions(use: CommandUse, command: Subcommand, start: number): ReadOptions {
  const reading = new Reading(use, command);
  const { args } = use;
  for (let i = start; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (arg.kind !== LITERAL) {
      reading.unknownWord(arg);
      continue;
    }
    const { text } = arg;
    if (text === "--") {
      reading.paths.push(...args.slice(i + 1));
      break;
    }
    if (text.charCodeAt(0) !== 45 || text.length === 1) reading.operands.push(arg);
    else
      i += text.charCodeAt(1) === 45 ? reading.long(text, args[i + 1]) : reading.letters(text, args[i + 1]);
  }
  return reading;
}

class Reading implements ReadOptions {
  readonly operands: Arg[] = [];
  readonly paths: Arg[] = [];
  readonly seen = new Set<string>();
  readonly addresses: Arg[] = [];
  readonly #use: CommandUse;
  readonly #command: Subcommand;

  constructor(use: CommandUse, command: Subcommand) {
    this.#use = use;
    this.#command = command;
  }

  /** How many of the next words belong to it. */
  long(text: string, next: Arg | undefined): number {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
    const attached = equals < 0 ? undefined : literalArg(text.slice(equals + 1));
    const { long } = this.#command.table;
    const code = this.#use.walk.parts.findLongOption(long, name);
    if (code !== undefined) {
      this.seen.add(name);
      return this.#take(code, `--${name}`, attached, next);
    }
    if (name.startsWith("no-") && long.has(name.slice(3)) && attached === undefined) {
      this.seen.add(name);
      return 0;
    }
    this.#use.goesBeyond(`option --${name} is not known to be harmless`, EXECUTE);
    const meant = [...long].filter(([known]) => known.startsWith(name));
    let taken = 0;
    for (const [known, meantCode] of meant) {
      this.seen.add(known);
      taken = Math.max(taken, this.#take(meantCode, `--${known}`, attached, next));
    }
    return meant.length === 1 ? taken : 0;
  }

  letters(text: string, next: Arg | undefined): number {
    if (this.#command.numbers && /^-\d+$/.test(text)) return 0;
    for (let j = 1; j < text.length; j++) {
      const letter = text.charAt(j);
      const code = this.#command.table.short[text.charCodeAt(j)] ?? 0;
      this.seen.add(letter);
      if (code === 0) {
        this.#use.goesBeyond(`option -${letter} is not known to be harmless`, EXECUTE);
        return 0;
      }
      if (code === FLAG) continue;
      if (code === REFUSED) this.#refuse(`-${letter}`);
      else
        return this.#take(
          code,
          `-${letter}`,
          j + 1 < text.length ? literalArg(text.slice(j + 1)) : undefined,
          next,
        );
    }
    return 0;
  }

  unknownWord(arg: Arg): void {
    if (this.#unknownValue(arg)) return;
    // A file in the workspace can be called `--upload-pack=x`.
    if (!this.#command.free && maybeOption(arg))
      this.#use.goesBeyond(`${arg.text} may be an option`, EXECUTE);
    this.operands.push(arg);
  }

  /** `--author="$x"`: the option is known, only its value is not. */
  #unknownValue(arg: Arg): boolean {
    const equals = arg.prefix.indexOf("=");
    if (arg.kind !== ONE || !arg.prefix.startsWith("--") || equals < 0) return false;
    const name = arg.prefix.slice(2, equals);
    const code = this.#use.walk.parts.findLongOption(this.#command.table.long, name);
    if (code === undefined || code === FLAG) return false;
    this.seen.add(name);
    const value = {
      ...arg,
      text: arg.text.slice(equals + 1),
      prefix: arg.prefix.slice(equals + 1),
      slots: undefined,
    };
    this.#value(code, `--${name}`, value);
    return true;
  }

  #take(code: number, name: string, attached: Arg | undefined, next: Arg | undefined): number {
    if (code === FLAG && attached !== undefined) this.#refuse(name);
    if (code === REFUSED || code === REFUSED_OPTIONAL) this.#refuse(name);
    if (attached !== undefined) {
      this.#value(code, name, attached);
      return 0;
    }
    if (!takesNext(code)) return 0;
    if (next === undefined) {
      this.#use.goesBeyond(`option ${name} without its value`, EXECUTE);
      return 0;
    }
    // A word that becomes several gives the option one of them and leaves the others to be options
    // themselves.
    if (CommandUse.mayShift(next)) this.#use.goesBeyond(`${next.text} may become several words`, EXECUTE);
    // `--filter --output=x`: git may take for an option what was taken for a value here.
    if (this.#command.ofRevisions && maybeOption(next))
      this.#use.goesBeyond(`${next.text} may be an option`, EXECUTE);
    this.#value(code, name, next);
    return 1;
  }

  #value(code: number, name: string, value: Arg): void {
    const use = this.#use;
    switch (code) {
      case VALUE:
      case OPTIONAL:
        return;
      case READ_PATH:
        use.readPath(value);
        return;
      case PATH_LIST:
        use.readPath(value);
        use.unknownPaths = true;
        use.goesBeyond(`option ${name} takes its paths from a file`, WRITE);
        return;
      case LINES_OF_FILE:
        use.readPath({ ...value, text: value.text.slice(value.text.lastIndexOf(":") + 1) });
        return;
      case WRITE_PATH:
        use.writePath(value);
        use.goesBeyond(`option ${name} writes a file`, WRITE);
        return;
      case ADDRESS:
        this.addresses.push(value);
        return;
      case FORMAT:
      case OPTIONAL_FORMAT:
        if (value.kind !== LITERAL) use.goesBeyond("the format is not known", EXECUTE);
        else if (/%G|signature/.test(value.text)) use.goesBeyond("the format asks gpg", EXECUTE);
        return;
      case REFUSED_VALUE:
        this.#refuse(name);
    }
  }

  #refuse(name: string): void {
    this.#use.goesBeyond(`git with ${name} may run a program`, EXECUTE);
  }
}
