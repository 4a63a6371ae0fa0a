/** Describes what needs a PostgreSQL. Where it cannot run, the title says why it is skipped. */
import { describe } from "vitest";
import { findBinaries, sharedServer, whyNoBinaries, whyNoPostgres } from "./postgres-binaries.ts";

/** `besides`: what else keeps the tests from running. */
export function describePostgres(title: string, tests: () => void, besides?: string): void {
  describeUnless(sharedServer() === undefined ? whyNoPostgres : besides, title, tests);
}

/** What stops the server and starts it again needs one that was started for it. */
export function describeOwnPostgres(title: string, tests: () => void): void {
  describeUnless(findBinaries() === undefined ? whyNoBinaries : undefined, title, tests);
}

function describeUnless(problem: string | undefined, title: string, tests: () => void): void {
  if (problem === undefined) describe(title, tests);
  else describe.skip(`${title} (skipped: ${problem})`, tests);
}
