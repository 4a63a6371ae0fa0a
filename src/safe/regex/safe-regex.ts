/** Regular expressions from rules and schemas: full JavaScript syntax, an answer in bounded time or none. */

import type { CompiledPattern, SafePattern } from "../../core/ports/pattern.ts";
import { quietly } from "../../core/run/quietly.ts";
import { cutText } from "../../core/text/cut-text.ts";
import { attempt, isWithinBudget, withinBudget } from "../process/time-budget.ts";
import { foreignObjection } from "./foreign-pattern.ts";
import { type LinearTwin, linearTwin } from "./linear-twin.ts";
import { mayHangCompile, type PatternSyntax, readPattern } from "./pattern-syntax.ts";
import { knownToCompile, screenNow } from "./regex-screen.ts";

/** One budget for all patterns of one call that are not linear. */
export const PATTERN_BUDGET_MS = 50;
/** Those that are quick one by one run without a watch for this long. */
const DIRECT_BUDGET_MS = 10;
/** Long texts first meet the fast engine for this long, then, where there is one, the strict linear one. */
const FAST_BUDGET_MS = 25;
/** The fast engine may walk a text once for each start: harmless up to here (10 ms), not for longer texts. */
const MAX_DIRECT_CHARS = 4_000;
/** Longer texts are undecided for patterns without a linear twin: even copying their state would be slow. */
const MAX_TEXT_CHARS = 100_000;
/** Pattern characters times text characters that the linear engine handles in about 20 ms. */
const DIRECT_WORK = 2_000_000;

/** Rules are compiled when checked and when they come into force; a pattern keeps nothing of texts. */
export function compilePattern(source: string, flags = ""): CompiledPattern {
  const key = `${flags}/${source}`;
  const known = compiledBefore.get(key);
  if (known !== undefined) return known;
  const compiled = compile(source, flags, "own");
  if (compiled.ok && key.length <= LONGEST_KEPT_CHARS) {
    if (compiledBefore.size >= MOST_KEPT) compiledBefore.clear();
    compiledBefore.set(key, compiled);
  }
  return compiled;
}

const MOST_KEPT = 1_000;
const LONGEST_KEPT_CHARS = 1_000;
const compiledBefore = new Map<string, CompiledPattern>();

/** For patterns of strangers (upstream schemas): only what RE2 takes, and no compile that is in doubt. */
export function compileForeignPattern(source: string, flags = ""): CompiledPattern {
  return compile(source, flags, "foreign");
}

/** Why a stranger's pattern would be refused, without building it. Undefined: it is fine, or no pattern. */
export function explainForeignPattern(source: string, flags = ""): string | undefined {
  const syntax = readPattern(source, flags);
  return syntax.ok && parse(syntax).ok ? objectionTo(syntax) : undefined;
}

/** For a pattern that this V8 has compiled before, as was written down: the child is not asked again. */
export function compileKnownPattern(source: string, flags = ""): CompiledPattern {
  return compile(source, flags, "known");
}

/** Tests one text against many patterns; those that need a time budget share one. */
export function testAll(patterns: readonly SafePattern[], text: string): (boolean | undefined)[] {
  const answers: (boolean | undefined)[] = new Array(patterns.length).fill(undefined);
  const slow: { index: number; engines: Engines }[] = [];
  const began = performance.now();
  for (let index = 0; index < patterns.length; index++) {
    const pattern = patterns[index] as SafePattern;
    // Hundreds that are quick enough one by one are not together.
    const isEarly = performance.now() - began < DIRECT_BUDGET_MS;
    if (!(pattern instanceof BoundedPattern) || (isEarly && pattern.isDirect(text)))
      answers[index] = pattern.test(text);
    else {
      const engines = pattern.enginesFor(text);
      if (engines !== undefined) slow.push({ index, engines });
    }
  }
  if (slow.length === 0) return answers;
  const isOpen = ({ index }: { index: number }): boolean => answers[index] === undefined;
  runTwice(
    () => {
      for (const { index, engines } of slow) answers[index] = quietly(() => engines.fast.test(text));
    },
    () => {
      for (const { index, engines } of slow.filter(isOpen)) {
        answers[index] = quietly(() => (engines.strict ?? engines.fast).test(text));
      }
    },
    () => slow.some(isOpen),
  );
  return answers;
}

/** Under one deadline that somebody else has set, only the strict engine is safe to start with. */
function runTwice(fast: () => void, strict: () => void, isUnfinished: () => boolean): void {
  if (!isWithinBudget()) withinBudget(FAST_BUDGET_MS, fast);
  if (isUnfinished()) withinBudget(PATTERN_BUDGET_MS - FAST_BUDGET_MS, strict);
}

interface Engines {
  readonly fast: RegExp;
  readonly strict: RegExp | undefined;
}

type Syntax = PatternSyntax & { readonly ok: true };

function compile(source: string, flags: string, origin: "own" | "foreign" | "known"): CompiledPattern {
  const syntax = readPattern(source, flags);
  if (!syntax.ok) return refuse(source, syntax.message);
  const parsed = parse(syntax);
  if (!parsed.ok) return refuse(source, parsed.message);
  const { regexp } = parsed;
  const objection = origin === "foreign" ? objectionTo(syntax) : undefined;
  if (objection !== undefined) return refuse(source, objection);
  const isKnown = origin === "known" || knownToCompile(syntax.source, syntax.flags);
  if (!isKnown && mayHangCompile(syntax.source, syntax.shape)) {
    const hang = screenNow(syntax.source, syntax.flags);
    if (hang !== undefined) return refuse(source, hang);
  }
  const twin = linearTwin(syntax.source, syntax.flags);
  // The linear engine copies repeated parts, up to sixteen times.
  const weight = (twin?.regexp.source.length ?? 0) * (syntax.shape.hasCounts ? 16 : 1) + 1;
  const pattern = new BoundedPattern(
    regexp,
    twin,
    Math.min(MAX_DIRECT_CHARS, Math.floor(DIRECT_WORK / weight)),
  );
  // The first run compiles; a pattern too large for the engine fails here and not in the middle of a call.
  const run = (): boolean => (twin?.regexp ?? regexp).test("");
  const trial = twin ? attempt(run) : withinBudget(PATTERN_BUDGET_MS, run);
  if (!trial.ok && !trial.timedOut) return refuse(source, "it is too large for the engine");
  return { ok: true, pattern };
}

/** V8 only reads it; it compiles when the pattern first meets a text. */
function parse({ source, flags }: Syntax): { ok: true; regexp: RegExp } | { ok: false; message: string } {
  try {
    return { ok: true, regexp: new RegExp(source, flags) };
  } catch (error) {
    const { message } = error as Error;
    const reason = message.replace(/^Invalid regular expression: (\/[\s\S]*\/[a-z]*: )?/, "");
    return { ok: false, message: reason };
  }
}

/** Nothing of a stranger is tried in a child for which somebody waits: what could hang is refused. */
function objectionTo({ source, flags, shape }: Syntax): string | undefined {
  if (mayHangCompile(source, shape)) return "it is too complex for a pattern from outside: simplify it";
  return foreignObjection(source, flags);
}

function refuse(source: unknown, why: string): { ok: false; message: string } {
  return { ok: false, message: `The pattern /${cutText(String(source), 80)}/ is refused: ${why}.` };
}

class BoundedPattern implements SafePattern {
  readonly source: string;
  readonly flags: string;
  readonly linear: boolean;
  readonly #regexp: RegExp;
  readonly #twin: LinearTwin | undefined;
  readonly #fast: RegExp;
  readonly #exceptTexts: RegExp | undefined;
  readonly #directChars: number;

  constructor(regexp: RegExp, twin: LinearTwin | undefined, directChars: number) {
    this.source = regexp.source;
    this.flags = regexp.flags;
    this.linear = twin !== undefined;
    this.#regexp = regexp;
    this.#twin = twin;
    this.#fast = twin?.regexp ?? regexp;
    this.#exceptTexts = twin?.exceptTexts;
    this.#directChars = twin === undefined ? -1 : directChars;
    Object.freeze(this);
  }

  test(text: string): boolean | undefined {
    // Asked for every rule of every call: no closure here.
    if (this.isDirect(text)) {
      try {
        return this.#fast.test(text);
      } catch {
        return undefined;
      }
    }
    return this.#guarded(text, (regexp) => regexp.test(text));
  }

  exec(text: string): readonly (string | undefined)[] | null | undefined {
    if (this.isDirect(text)) return quietly(() => this.#fast.exec(text));
    return this.#guarded(text, (regexp) => regexp.exec(text));
  }

  /** Whether a bare run on this text is known to be quick. */
  isDirect(text: string): boolean {
    return (
      text.length <= this.#directChars && (this.#exceptTexts === undefined || !this.#exceptTexts.test(text))
    );
  }

  /** `undefined` = too long for a pattern without a linear twin. */
  enginesFor(text: string): Engines | undefined {
    const twin = this.#exceptTexts?.test(text) ? undefined : this.#twin;
    if (twin !== undefined) return { fast: twin.regexp, strict: twin.strict };
    return text.length <= MAX_TEXT_CHARS ? { fast: this.#regexp, strict: undefined } : undefined;
  }

  #guarded<T>(text: string, run: (regexp: RegExp) => T): T | undefined {
    const engines = this.enginesFor(text);
    if (engines === undefined) return undefined;
    if (engines.strict === undefined) {
      const result = withinBudget(PATTERN_BUDGET_MS, () => run(engines.fast));
      return result.ok ? result.value : undefined;
    }
    let answer: T | undefined;
    const { strict } = engines;
    const answerBy = (regexp: RegExp) => () => {
      answer = run(regexp);
    };
    runTwice(answerBy(engines.fast), answerBy(strict), () => answer === undefined);
    return answer;
  }
}
