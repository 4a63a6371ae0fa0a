/** How long something lasts, as people write it: `90s`, `5m`, `1h`, `7d`, `8w`. */

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A hundred years: what is longer is a slip of the finger. */
const maxMs = 100 * 365 * unitMs.d;

/** Undefined: not a duration above 0. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)$/.exec(text.trim());
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * unitMs[match[2] as keyof typeof unitMs]);
  return ms > 0 && ms <= maxMs ? ms : undefined;
}

/** The form of one, for a JSON Schema. */
export const durationPattern = "^[0-9]+([.][0-9]+)? ?(ms|s|m|h|d|w)$";

/** What a key of a file stands for: `keep_days` counts days, everything else milliseconds. */
export function durationFor(key: string, text: string): number | undefined {
  const ms = /^0+([.]0+)? ?[a-z]+$/.test(text) ? 0 : parseDuration(text);
  return ms === undefined ? undefined : ms / unitOf(key);
}

/** The smallest that a key takes, as it is written: `1d` for a minimum of 1 of `keep_days`. */
export function shownMinimum(key: string, minimum: number): string {
  return exactDuration(minimum * unitOf(key));
}

function unitOf(key: string): number {
  return /(?:_d|D)ays$/.test(key) ? unitMs.d : 1;
}

/** For people who set it: as exact as it was written. */
export function exactDuration(ms: number): string {
  if (ms <= 0) return "0s";
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  return ms < 60_000 ? `${Number((ms / 1_000).toFixed(3))}s` : shownDuration(ms);
}

/** For people: the two largest units at most. */
export function shownDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return "0s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(" ");
}
