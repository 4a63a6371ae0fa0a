/** For tests that need a sandbox that works: skipped with the reason where there is none, but never in the full run. */
import { describe } from "vitest";
import { findBubblewrap, sandboxWorks } from "../../../../src/safe/sandbox/find-bubblewrap.ts";

const bwrap = findBubblewrap([]);
const works = bwrap !== undefined && (await sandboxWorks(bwrap)).works;
const why = works ? "" : " (skipped: bubblewrap is missing or cannot make namespaces here)";

export function describeSandbox(title: string, tests: () => void): void {
  describe.skipIf(!works && process.env.TOOLGATE_CI !== "full")(`${title}${why}`, tests);
}
