/** The words of a `for` loop as the known values of its variable. */

import type { Word } from "unbash";
import { type Arg, GLOB, LITERAL } from "./arg.ts";
import type { Directory, Walk } from "./walk.ts";
import { OPAQUE } from "./walk.ts";

/** One text that a word can turn into; a glob stands for any of its matches. */
export interface Choice {
  readonly text: string;
  readonly glob: boolean;
}

export interface Loop {
  readonly name: string;
  readonly words: readonly Choice[];
  /** Where its globs were matched. */
  readonly directories: readonly Directory[];
}

/** A place in the text of a word where the variable of a loop stands as written. */
export interface Slot {
  readonly start: number;
  readonly end: number;
  readonly loop: Loop;
  readonly quoted: boolean;
}

/** A command whose paths were taken from these loops. */
export interface LoopUse {
  readonly loops: readonly Loop[];
  readonly command: { unknownPaths: boolean };
}

/** The questions that decide whether a value is known, so that tests can answer one wrongly. */
export interface LoopParts {
  readonly isLoopWord: (text: string, glob: boolean) => boolean;
  readonly staysOneWord: (choice: Choice) => boolean;
  readonly mayBeOption: (text: string) => boolean;
  readonly isDoubtful: (walk: Walk, use: LoopUse) => boolean;
}

export const LOOP_PARTS: LoopParts = {
  isLoopWord: (text, glob) => (glob ? PLAIN_GLOB : PLAIN_WORD).test(text),
  // A file name that a glob finds can hold blanks, so without quotes it may become several words.
  staysOneWord: (choice) => !choice.glob && !choice.text.includes(" "),
  mayBeOption: (text) => text.charCodeAt(0) === 45,
  isDoubtful: (walk, use) =>
    walk.risk === OPAQUE || use.loops.some((loop) => walk.reassigned?.has(loop.name) === true),
};

const MAX_CHOICES = 64;
const MAX_CHOICES_OF_LINE = 256;

/** Undefined when some word of the loop is not known, or means more than its text to a shell or a program. */
export function knownLoop(
  walk: Walk,
  name: string,
  words: readonly Word[],
  args: readonly Arg[],
): Loop | undefined {
  // Bash sets some upper-case variables by itself.
  if (walk.posix || !/^[a-z]\w*$/.test(name)) return undefined;
  if (args.length === 0 || args.length > MAX_CHOICES || words.length > MAX_CHOICES) return undefined;
  const choices: Choice[] = [];
  for (const { kind, text } of args) {
    const glob = kind === GLOB;
    if (kind !== LITERAL && !glob) return undefined;
    if (!walk.parts.loops.isLoopWord(text, glob)) return undefined;
    // A glob with quotes in it has lost them in `text`.
    if (glob && !words.some((word) => word.text === text)) return undefined;
    choices.push({ text, glob });
  }
  return { name, words: choices, directories: walk.directories };
}

/**
 * Reads the body of a loop with its variable known; `undefined` hides all loops, for text that runs elsewhere
 * or later.
 */
export function withLoop(walk: Walk, loop: Loop | undefined, read: () => void): void {
  const outer = walk.loops;
  walk.loops = loop === undefined ? undefined : new Map([...(outer ?? []), [loop.name, loop]]);
  read();
  walk.loops = outer;
}

/** Every text the word can be, each exactly one word and no option; undefined when that is not certain. */
export function loopChoices(walk: Walk, arg: Arg): readonly Choice[] | undefined {
  const { slots, text } = arg;
  if (slots === undefined) return undefined;
  const parts = walk.parts.loops;
  const around = slots.length > 1 || slots[0]?.start !== 0 || slots[0].end !== text.length;
  let choices: readonly Choice[] = [{ text: "", glob: false }];
  let at = 0;
  for (const { start, end, loop, quoted } of slots) {
    if (choices.length * loop.words.length > MAX_CHOICES) return undefined;
    if (!quoted && !loop.words.every(parts.staysOneWord)) return undefined;
    // In another directory, names found here need not exist, and what is not there yet matches no glob.
    if (loop.directories !== walk.directories && loop.words.some((word) => word.glob)) return undefined;
    const before = text.slice(at, start);
    choices = choices.flatMap((choice) =>
      loop.words.map((word) => ({
        text: choice.text + before + word.text,
        glob: choice.glob || word.glob,
      })),
    );
    at = end;
  }
  const rest = text.slice(at);
  if (rest !== "") choices = choices.map((choice) => ({ ...choice, text: choice.text + rest }));
  for (const choice of choices) {
    if (parts.mayBeOption(choice.text)) return undefined;
    if (around && !parts.isLoopWord(choice.text, choice.glob)) return undefined;
  }
  return choices;
}

/** True once for so many choices as one line may have. */
export function spendChoices(walk: Walk, count: number): boolean {
  if (walk.loopChoices + count > MAX_CHOICES_OF_LINE) return false;
  walk.loopChoices += count;
  return true;
}

/**
 * A variable that something else in the line sets may hold anything: the paths found stay, but are not all.
 */
export function settleLoops(walk: Walk): void {
  for (const use of walk.loopUses ?? []) {
    if (walk.parts.loops.isDoubtful(walk, use)) use.command.unknownPaths = true;
  }
}

// No `=` and `:`, which make an operand an assignment or a revision to some programs, and no `~`.
const PLAIN_WORD = /^[\p{L}\p{N}_ ./@%+,-]+$/u;
const PLAIN_GLOB = /^[\w./@%+,*?[\]-]+$/;
