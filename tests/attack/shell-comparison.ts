/** Judges lines of the grammar, runs those that the judge understands in real shells, and counts what it did not say. */

import type { CommandJudgement } from "../../src/core/ports/command.ts";
import { judgeCommand } from "../../src/shell/judge.ts";
import { type BatchShell, runBatch } from "./shell-batch.ts";
import { differences } from "./shell-differences.ts";
import { type GrammarLine, grammarLine } from "./shell-grammar.ts";
import { seeded } from "./shell-line-generator.ts";
import { PLACE } from "./shell-real-bash.ts";

export interface ComparisonOptions {
  readonly lines: number;
  readonly seed: number;
  readonly shells: readonly BatchShell[];
  /** How many sandboxes run at the same time. */
  readonly jobs?: number;
  readonly judge?: typeof judgeCommand;
  readonly onProgress?: (done: number, found: number) => void;
  readonly onWrong?: (wrong: Wrong) => void;
}

export interface Comparison {
  readonly lines: number;
  /** Lines that each shell ran, those in which a stub ran, and what the judge did not say. */
  readonly ran: Record<BatchShell, number>;
  readonly withEffect: Record<BatchShell, number>;
  /** Lines that did not end by themselves, so that nothing is known of them. */
  readonly unended: Record<BatchShell, number>;
  readonly wrong: readonly Wrong[];
  /** How many lines cover each pair of what is expanded and where, as `row\tcolumn`. */
  readonly covered: ReadonlyMap<string, number>;
}

interface Wrong {
  readonly shell: BatchShell;
  readonly line: string;
  readonly found: readonly string[];
}

const CHUNK = 4_000;

export async function compareWithShells(options: ComparisonOptions): Promise<Comparison> {
  const { lines, seed, shells, jobs = 2, judge = judgeCommand, onProgress, onWrong } = options;
  const ran = { bash: 0, zsh: 0 };
  const withEffect = { bash: 0, zsh: 0 };
  const unended = { bash: 0, zsh: 0 };
  // The same text again would show nothing new.
  const seen = { bash: new Set<string>(), zsh: new Set<string>() };
  const wrong: Wrong[] = [];
  const covered = new Map<string, number>();
  const random = seeded(seed);
  let made = 0;
  let done = 0;

  const next = (): readonly GrammarLine[] => {
    const chunk = Array.from({ length: Math.min(CHUNK, lines - made) }, () => grammarLine(random));
    made += chunk.length;
    for (const { row, column } of chunk) {
      const key = `${row}\t${column}`;
      covered.set(key, (covered.get(key) ?? 0) + 1);
    }
    return chunk;
  };
  const compare = async (chunk: readonly GrammarLine[], shell: BatchShell) => {
    const understood = chunk
      .filter(({ text }) => !seen[shell].has(text) && seen[shell].add(text))
      .map(({ text }) => ({ text, judgement: judge(text, { ...PLACE, dialect: shell }) }))
      .filter(({ judgement }) => judgement.risk !== "opaque");
    const observed = await runBatch(
      shell,
      understood.map(({ text }) => text),
    );
    ran[shell] += understood.length;
    for (const [i, { text, judgement }] of understood.entries()) {
      const one = observed[i];
      if (one === undefined) {
        unended[shell]++;
        continue;
      }
      if (one.stubs.length > 0) withEffect[shell]++;
      const found = differences(judgement, one);
      if (found.length === 0 || (onlyFiles(found) && !(await writesAlone(shell, text, judgement)))) continue;
      wrong.push({ shell, line: text, found });
      onWrong?.({ shell, line: text, found });
    }
  };
  const work = async () => {
    while (made < lines) {
      const chunk = next();
      for (const shell of shells) await compare(chunk, shell);
      done += chunk.length;
      onProgress?.(done, wrong.length);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return { lines: done, ran, withEffect, unended, wrong, covered };
}

function onlyFiles(found: readonly string[]): boolean {
  return found.every((one) => one.startsWith("wrote "));
}

/** A file has no name on it: one that an earlier line left to the background may have come late. */
async function writesAlone(shell: BatchShell, text: string, judgement: CommandJudgement): Promise<boolean> {
  for (let i = 0; i < 3; i++) {
    const [one] = await runBatch(shell, [text]);
    if (one !== undefined && differences(judgement, one).length > 0) return true;
  }
  return false;
}
