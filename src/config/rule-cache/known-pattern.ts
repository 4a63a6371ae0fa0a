/**
 * A pattern that was checked and compiled by the same V8 when the rules were loaded. A call that needs it
 * compiles it again, for one quick try under a deadline. Without an answer it gets the engines of safe-regex,
 * whose preparation costs several times as much.
 */
import type { CompiledPattern, SafePattern, TestAllPatterns } from "../../core/ports/pattern.ts";
import { compileKnownPattern, testAll } from "../../safe/regex/safe-regex.ts";
import { quickTry } from "./quick-try.ts";

export interface KnownSource {
  /** As the rule has it. */
  readonly written: { readonly source: string; readonly flags: string | undefined };
  /** As JavaScript reads it. */
  readonly source: string;
  readonly flags: string;
  readonly linear: boolean;
}

/** Each try costs a thread; where many patterns are tried, the engines are cheaper. */
export interface QuickTries {
  left: number;
}

export function fewTries(): QuickTries {
  return { left: 4 };
}

/** Of wall time: on a busy machine most of it may pass while others run. */
const quickTryMs = 50;
/** Longer texts may be undecided for safe-regex; a quick try must not know better. */
const quickChars = 4_000;

type Groups = readonly (string | undefined)[] | null;

export class KnownPattern implements SafePattern {
  readonly source: string;
  readonly flags: string;
  readonly linear: boolean;
  readonly #written: KnownSource["written"];
  readonly #tries: QuickTries;
  #regexp: RegExp | undefined;
  #full: CompiledPattern | undefined;
  /** A route that matches is asked for its groups next. */
  #last: { readonly text: string; readonly groups: Groups } | undefined;

  constructor({ written, source, flags, linear }: KnownSource, tries: QuickTries) {
    this.source = source;
    this.flags = flags;
    this.linear = linear;
    this.#written = written;
    this.#tries = tries;
  }

  test(text: string): boolean | undefined {
    const groups = this.#quickly(text);
    return groups === undefined ? this.full?.test(text) : groups !== null;
  }

  exec(text: string): Groups | undefined {
    const groups = this.#quickly(text);
    return groups === undefined ? this.full?.exec(text) : groups;
  }

  get regexp(): RegExp {
    this.#regexp ??= new RegExp(this.source, this.flags);
    return this.#regexp;
  }

  get full(): SafePattern | undefined {
    this.#full ??= compileKnownPattern(this.#written.source, this.#written.flags);
    return this.#full.ok ? this.#full.pattern : undefined;
  }

  #quickly(text: string): Groups | undefined {
    if (this.#last?.text === text) return this.#last.groups;
    if (text.length > quickChars || this.#tries.left === 0) return undefined;
    this.#tries.left--;
    const { regexp } = this;
    const tried = quickTry(quickTryMs, () => regexp.exec(text));
    if (tried !== undefined) this.#last = { text, groups: tried.value };
    return tried?.value;
  }
}

/** All patterns in one try; those without an answer go on together. */
export const testAllKnown: TestAllPatterns = (patterns, text) => {
  const answers: (boolean | undefined)[] = new Array(patterns.length).fill(undefined);
  if (text.length <= quickChars) {
    const regexps = patterns.map(regexpOf);
    quickTry(quickTryMs, () => {
      for (const [index, regexp] of regexps.entries()) answers[index] = regexp?.test(text);
    });
  }
  const open = [...answers.keys()].filter((index) => answers[index] === undefined);
  if (open.length === 0) return answers;
  const full = open.map((index) => fullOf(patterns[index] as SafePattern));
  const decided = testAll(
    full.filter((pattern) => pattern !== undefined),
    text,
  );
  let next = 0;
  for (const [position, index] of open.entries()) {
    if (full[position] !== undefined) answers[index] = decided[next++];
  }
  return answers;
};

function regexpOf(pattern: SafePattern): RegExp | undefined {
  return pattern instanceof KnownPattern ? pattern.regexp : undefined;
}

function fullOf(pattern: SafePattern): SafePattern | undefined {
  return pattern instanceof KnownPattern ? pattern.full : pattern;
}
