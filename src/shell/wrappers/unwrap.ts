/** Finds the command inside a wrapper and judges it with the wrapper's name in `via`. */

import { type Arg, isLiteral, LITERAL } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { Wrapper } from "../judge-parts.ts";
import {
  ATTACHED,
  type CompiledSpec,
  FLAG,
  lazySpec,
  type OptionSpec,
  takesNextWord,
  VALUE,
} from "../option-spec.ts";
import { judgeArgs } from "../simple-command.ts";
import { MAX_WRAPPERS, markOpaque, markUnread, READ } from "../walk.ts";

/** Judges the words from `index` on as a command inside `name`. */
export function judgeInner(
  use: CommandUse,
  name: string,
  index: number,
  more: { risk?: number; beyond?: string; extra?: Arg; words?: readonly Arg[] } = {},
): void {
  const { walk } = use;
  const { via, settled } = walk;
  if (via.length >= MAX_WRAPPERS) {
    markUnread(walk, "too many programs start one another; write the last one alone", name);
    return;
  }
  walk.via = [...via, asWritten(use, name)];
  // find and xargs replace a marker inside words, and the value of a variable may hold it: `xargs -I0 cat
  // $?`.
  let words =
    more.words?.map((arg) => ({ ...arg, slots: undefined, pathless: false })) ?? use.args.slice(index);
  while (words[0]?.text.includes("=")) {
    // `sudo X=1 cmd`: a variable for the command, not the command.
    markOpaque(walk, `${name} sets a variable for the program that it starts`, words[0].text);
    words = words.slice(1);
  }
  if (words.length === 0) {
    walk.via = via;
    use.finish();
    return;
  }
  const risk = Math.max(use.risk, more.risk ?? READ);
  judgeArgs(walk, more.extra === undefined ? words : [...words, more.extra], more.beyond ?? use.beyond, risk);
  walk.via = via;
  // `env declare x=5` sets nothing here.
  walk.settled = settled;
}

/** `./timeout` is another program than `timeout`: whoever approves by the wrapper's name must see it. */
function asWritten({ args }: CommandUse, name: string): string {
  const written = args[0]?.text ?? name;
  return written.endsWith(`/${name}`) ? written : name;
}

export interface SimpleWrapper extends OptionSpec {
  /** What the word between the options and the command looks like: `timeout 5 cmd`. */
  readonly operandBefore?: RegExp;
  readonly risk?: number;
  readonly beyond?: string;
}

/** A wrapper that is options, perhaps a few words, then the command. */
export function simple(spec: SimpleWrapper): Wrapper {
  const lazy = lazySpec(spec);
  return (use) => {
    const compiled = lazy();
    const name = programName(use);
    const at = skipOptions(use, compiled);
    const shape = spec.operandBefore;
    const fits = at >= 0 && (shape === undefined || shape.test(use.args[at]?.text ?? ""));
    const inner = fits ? at + (shape === undefined ? 0 : 1) : -1;
    if (inner < 0 || inner >= use.args.length || !use.args.slice(1, inner).every(isLiteral)) {
      unwrapByGuess(use, name);
      return;
    }
    const more: { risk: number; beyond?: string } = { risk: spec.risk ?? READ };
    if (spec.beyond !== undefined) more.beyond = spec.beyond;
    judgeInner(use, name, inner, more);
  };
}

/** Index of the first word that is not an option, or -1 when an option is not understood. */
export function skipOptions(use: CommandUse, { short, long, numbers }: CompiledSpec): number {
  const { args } = use;
  for (let i = 1; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (arg.kind !== LITERAL) return -1;
    const text = arg.text;
    if (text === "--") return i + 1;
    if (text.length < 2 || text.charCodeAt(0) !== 45) return i;
    if (numbers && /^-\d+$/.test(text)) continue;
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const code = use.walk.parts.findLongOption(long, equals < 0 ? text.slice(2) : text.slice(2, equals));
      if (code === undefined || !isSkipped(code) || (code === FLAG && equals >= 0)) return -1;
      if (takesNextWord(code) && equals < 0) i++;
      continue;
    }
    for (let j = 1; j < text.length; j++) {
      const code = short[text.charCodeAt(j)] ?? 0;
      if (code === 0 || !isSkipped(code)) return -1;
      if (code === FLAG) continue;
      if (takesNextWord(code) && j + 1 === text.length) i++;
      break;
    }
  }
  return args.length;
}

/** Only flags and texts change nothing about the command inside; a file or a program might. */
function isSkipped(code: number): boolean {
  return code === FLAG || code === VALUE || code === ATTACHED;
}

/** Not understood, so opaque; the likely inner command is listed all the same, for rules that deny. */
export function unwrapByGuess(use: CommandUse, name: string): void {
  use.cannotTell(`it is not known what ${name} starts with these words; write the command itself`);
  use.finish();
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i] as Arg;
    if (arg.kind === LITERAL && /^[A-Za-z_./][\w./+-]*$/.test(arg.text) && !/^\d/.test(arg.text)) {
      judgeInner(use, name, i);
      return;
    }
  }
}

export function programName(use: CommandUse): string {
  const text = use.args[0]?.text ?? "";
  return text.slice(text.lastIndexOf("/") + 1);
}

/** The word with `marker` replaced by something only known later. */
export function withUnknown(arg: Arg, marker: string): Arg {
  const at = arg.text.indexOf(marker);
  return {
    ...arg,
    kind: Math.max(arg.kind, 2),
    prefix: arg.text.slice(0, at),
    tainted: true,
    slots: undefined,
  };
}
