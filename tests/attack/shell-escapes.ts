/** Ways to make a harmless-looking line run or write something, by what they use; and everyday lines that must stay harmless. */

import { readFileSync } from "node:fs";

export const ESCAPES: readonly string[] = Object.values(
  load<Record<string, readonly string[]>>("shell-escapes.json"),
).flat();

/** What a person who allows reading programs does not want to be asked about. */
export const BENIGN_LINES: readonly string[] = load("shell-benign.json");

// Read, not imported: some lines hold broken characters on purpose.
function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./data/${name}`, import.meta.url), "utf8")) as T;
}
