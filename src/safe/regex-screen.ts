/** Compiles doubtful patterns once in a killable child process, because a compile that explodes cannot be stopped in V8. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mayHangCompile, readPattern } from "./pattern-syntax.ts";

export interface ScreenInput {
  readonly source: string;
  readonly flags?: string;
}

/** Per pattern; an ordinary compile takes less than a tenth of it. */
const PATTERN_TIMEOUT_MS = 400;
const MAX_REMEMBERED = 5_000;

/** Called when rules are loaded. Answers the patterns that must not be used, by their index, with the reason. */
export async function screenPatterns(
  patterns: readonly ScreenInput[],
  options: { readonly timeoutMs: number },
): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  const waiting = new Map<string, { source: string; flags: string; indexes: number[] }>();
  for (const [index, input] of patterns.entries()) {
    const syntax = readPattern(input.source, input.flags ?? "");
    if (!syntax.ok || !mayHangCompile(syntax.source, syntax.shape)) continue;
    const key = keyOf(syntax.source, syntax.flags);
    const known = verdicts.get(key);
    if (known === undefined) {
      const entry = waiting.get(key) ?? { source: syntax.source, flags: syntax.flags, indexes: [] };
      entry.indexes.push(index);
      waiting.set(key, entry);
    } else if (known !== FINE) refused.set(index, known);
  }
  const deadline = performance.now() + options.timeoutMs;
  let queue = [...waiting.values()];
  while (queue.length > 0) {
    const left = deadline - performance.now();
    const batch = left > 0 ? await askChild(queue, left) : { done: 0, hung: false };
    for (const entry of queue.slice(0, batch.done)) remember(entry.source, entry.flags, FINE);
    const rest = queue.slice(batch.done);
    const [stuck] = rest;
    if (stuck === undefined) break;
    if (batch.hung) {
      remember(stuck.source, stuck.flags, HANGS);
      for (const index of stuck.indexes) refused.set(index, HANGS);
      queue = rest.slice(1);
    } else {
      for (const entry of rest) for (const index of entry.indexes) refused.set(index, NOT_SCREENED);
      break;
    }
  }
  return refused;
}

/** For code that cannot wait: blocks for the child (about 40 ms, at most half a second). `undefined` = fine. */
export function screenNow(source: string, flags: string): string | undefined {
  const known = verdicts.get(keyOf(source, flags));
  if (known !== undefined) return known === FINE ? undefined : known;
  const child = spawnSync(process.execPath, childArguments(), {
    input: `${JSON.stringify([source, flags])}\n`,
    timeout: 1_000,
    killSignal: "SIGKILL",
    encoding: "utf8",
    env: {},
    windowsHide: true,
  });
  const verdict = child.stdout?.startsWith("01") ? FINE : HANGS;
  remember(source, flags, verdict);
  return verdict === FINE ? undefined : verdict;
}

export function knownToCompile(source: string, flags: string): boolean {
  return verdicts.get(keyOf(source, flags)) === FINE;
}

const FINE = "fine";
const HANGS =
  "compiling it takes too long: use fewer look-arounds, ^, $ and \\b, or split it into several patterns";
const NOT_SCREENED = "there was no time left to try it safely: load fewer new patterns at once";

/** Verdicts are facts about a pattern, so they are kept for the life of the process, up to a bound. */
const verdicts = new Map<string, string>();

function remember(source: string, flags: string, verdict: string): void {
  if (verdicts.size >= MAX_REMEMBERED) verdicts.delete(verdicts.keys().next().value as string);
  verdicts.set(keyOf(source, flags), verdict);
}

function keyOf(source: string, flags: string): string {
  return `${flags}/${source}`;
}

/** One byte at the start and one for each pattern that came back; the pattern after the last byte is the one that hangs. */
function askChild(
  queue: readonly { source: string; flags: string }[],
  timeoutMs: number,
): Promise<{ done: number; hung: boolean }> {
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(process.execPath, childArguments(), {
      stdio: ["pipe", "pipe", "ignore"],
      env: {},
      windowsHide: true,
    });
    let done = -1;
    let hung = false;
    const stop = (): void => void child.kill("SIGKILL");
    const total = setTimeout(stop, timeoutMs);
    let patience: NodeJS.Timeout | undefined;
    function giveUp(): void {
      hung = true;
      stop();
    }
    child.stdout?.on("data", (bytes: Buffer) => {
      done += bytes.length;
      clearTimeout(patience);
      patience = setTimeout(giveUp, PATTERN_TIMEOUT_MS);
    });
    child.stdin?.on("error", () => {});
    child.on("error", () => finish());
    child.on("close", () => finish());
    function finish(): void {
      clearTimeout(total);
      clearTimeout(patience);
      resolve({ done: Math.max(0, Math.min(done, queue.length)), hung });
    }
    child.stdin?.end(queue.map((entry) => `${JSON.stringify([entry.source, entry.flags])}\n`).join(""));
  });
}

/** Each pattern runs on short texts of both string kinds, twice, because V8 compiles again for each of them. */
const CHILD_CODE = `
require("node:v8").setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
const { writeSync, readFileSync } = require("node:fs");
writeSync(1, "0");
for (const line of readFileSync(0, "utf8").split("\\n")) {
  if (line === "") continue;
  try {
    const regexp = new RegExp(...JSON.parse(line));
    for (const text of ["zb", "zb", "z\\u1234", "z\\u1234", ""]) regexp.test(text);
  } catch {}
  writeSync(1, "1");
}`;

function childArguments(): string[] {
  return ["-e", CHILD_CODE];
}
