/** Says in a few words how a command ended. */
import type { EndedProcess } from "./spawn.ts";

export function howItEnded(end: EndedProcess): string {
  const after = `after ${seconds(end.durationMs)}`;
  if (end.timedOut) return `stopped ${after}: out of time`;
  if (end.flooded) return `stopped ${after}: it wrote more than is taken`;
  if (end.aborted) return `ended by request ${after}`;
  if (end.exitCode === null) return `killed by ${end.signal ?? "a signal"} ${after}`;
  return `exit code ${end.exitCode} ${after}`;
}

/** For programs. */
export function endFacts(end: EndedProcess): object {
  return {
    exitCode: end.exitCode,
    ...(end.signal !== null && { signal: end.signal }),
    durationMs: Math.round(end.durationMs),
    timedOut: end.timedOut,
    truncated: end.truncated,
    ...(end.planted.length > 0 && { refused: end.planted.map(({ path }) => path) }),
  };
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
