/**
 * Compiles patterns once in a killable child process and measures what that takes, because a compile that
 * explodes cannot be stopped in V8.
 */

import { createHash } from "node:crypto";
import { twinSource } from "./linear-twin.ts";
import { readPattern } from "./pattern-syntax.ts";
import { askChild, askChildNow, type PatternCost } from "./regex-trial.ts";

export interface ScreenInput {
  readonly source: string;
  readonly flags?: string;
}

/** `invalid`: there is nothing to compile, and whoever compiles it will say why. */
export type Tried = PatternCost | "hangs" | "untried" | "invalid";

export interface TrialLimits {
  /** Of wall time, for all of them together. */
  readonly timeoutMs: number;
  /** Of processor time, for all new ones. After the first pattern that hangs, no other is tried. */
  readonly maxCpuMs?: number;
}

/** Answers in the order of the patterns. Those that were tried before are not tried again. */
export async function tryPatterns(
  patterns: readonly ScreenInput[],
  { timeoutMs, maxCpuMs = Number.POSITIVE_INFINITY }: TrialLimits,
): Promise<readonly Tried[]> {
  const keys = patterns.map(({ source, flags = "" }): string | undefined => {
    const syntax = readPattern(source, flags);
    return syntax.ok ? keyOf(syntax.source, syntax.flags) : undefined;
  });
  const found = new Map<string, Tried>();
  const waiting = new Map<string, PlainPattern>();
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue;
    const known = verdicts.get(key);
    if (known !== undefined) found.set(key, known);
    else waiting.set(key, plainPattern(patterns[index] as ScreenInput));
  }
  await tryNew(waiting, found, { timeoutMs, maxCpuMs });
  return keys.map((key) => (key === undefined ? "invalid" : (found.get(key) ?? "untried")));
}

/**
 * Called when rules are loaded. Answers the patterns that must not be used, by their index, with the reason.
 */
export async function screenPatterns(
  patterns: readonly ScreenInput[],
  options: { readonly timeoutMs: number },
): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  for (const [index, tried] of (await tryPatterns(patterns, options)).entries()) {
    if (tried === "untried") refused.set(index, notScreened);
    else if (isTooSlow(tried)) refused.set(index, hangs);
  }
  return refused;
}

/**
 * For code that cannot wait, when tools are made; never for rules. Blocks for the child (about 40 ms, at most
 * a second). `undefined` = fine.
 */
export function screenNow(source: string, flags: string): string | undefined {
  const key = keyOf(source, flags);
  const known = verdicts.get(key) ?? askChildNow(trialOf({ source, flags }));
  remember(key, known);
  return isTooSlow(known) ? hangs : undefined;
}

export function knownToCompile(source: string, flags: string): boolean {
  const known = verdicts.get(keyOf(source, flags));
  return known !== undefined && !isTooSlow(known);
}

/** An ordinary compile takes less than a hundredth of it. */
const slowestMs = 400;

function isTooSlow(tried: Tried): boolean {
  return tried === "hangs" || (typeof tried === "object" && tried.cpuMs > slowestMs);
}

const hangs =
  "compiling it takes too long: use fewer optional parts, look-arounds, ^, $ and \\b, or split it into several patterns";
const notScreened = "there was no time left to try it safely: load fewer new patterns at once";

/** As JavaScript reads it. */
interface PlainPattern {
  readonly source: string;
  readonly flags: string;
}

function plainPattern({ source, flags = "" }: ScreenInput): PlainPattern {
  const syntax = readPattern(source, flags);
  return syntax.ok ? syntax : { source, flags };
}

/** The pattern and its linear twin, each with its flags. */
function trialOf({ source, flags }: PlainPattern): readonly string[] {
  const twin = twinSource(source, flags);
  return twin === undefined ? [source, flags] : [source, flags, twin.source, twin.flags];
}

async function tryNew(
  waiting: ReadonlyMap<string, PlainPattern>,
  found: Map<string, Tried>,
  { timeoutMs, maxCpuMs }: Required<TrialLimits>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let queue = [...waiting];
  while (queue.length > 0) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    const { costs, hung } = await askChild(
      queue.map(([, pattern]) => trialOf(pattern)),
      { timeoutMs: left, maxCpuMs },
    );
    for (const [index, cost] of costs.entries()) settle(queue[index]?.[0], cost);
    queue = queue.slice(costs.length);
    if (!hung) return;
    settle(queue[0]?.[0], "hangs");
    if (Number.isFinite(maxCpuMs)) return;
    queue = queue.slice(1);
  }

  function settle(key: string | undefined, verdict: PatternCost | "hangs"): void {
    if (key === undefined) return;
    found.set(key, verdict);
    remember(key, verdict);
  }
}

/** Verdicts are facts about a pattern, so they are kept for the life of the process, up to a bound. */
const verdicts = new Map<string, PatternCost | "hangs">();
const maxRemembered = 20_000;

function remember(key: string, verdict: PatternCost | "hangs"): void {
  if (verdicts.size >= maxRemembered) verdicts.delete(verdicts.keys().next().value as string);
  verdicts.set(key, verdict);
}

/** Long ones by their hash: what is remembered must not grow with what strangers write. */
function keyOf(source: string, flags: string): string {
  const key = `${flags}/${source}`;
  return key.length <= 64 ? key : createHash("sha256").update(key).digest("base64");
}
