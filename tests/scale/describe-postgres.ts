/** Describes what needs a PostgreSQL. Where it cannot run, the title says why it is skipped. */
import { describe } from "vitest";
import { findPostgres, whyNoPostgres } from "./postgres-binaries.ts";

/** `besides`: what else keeps the tests from running. */
export function describePostgres(title: string, tests: () => void, besides?: string): void {
  const why = findPostgres() === undefined ? whyNoPostgres : besides;
  if (why === undefined) describe(title, tests);
  else describe.skip(`${title} (skipped: ${why})`, tests);
}

/** What stops the server and starts it again needs one that was started for it. */
export function describeOwnPostgres(title: string, tests: () => void): void {
  const isNamed = findPostgres()?.startsWith("postgres") === true;
  describePostgres(title, tests, isNamed ? "the PostgreSQL that is named is not ours to stop" : undefined);
}
