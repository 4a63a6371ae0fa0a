/**
 * The hook as a process: the one file that agents start. It only starts the rest, and denies if that fails.
 * All of it is compiled anew for every call, so there is little of it.
 */
import { writeSync } from "node:fs";
import { blockedExit } from "../../../core/call/blocked-exit.ts";
import { Parts } from "./load-parts.ts";

/**
 * By the agent's name, its denial with `"@reason@"` in it. The build makes it of the adapters, as a text that is
 * read only when something breaks: all adapters themselves would be compiled for every call.
 */
declare const TOOLGATE_LAST_WORDS: string;

const name = process.argv[2];

// Whatever breaks, wherever: a denial. Any other end lets the call pass.
process.on("uncaughtException", deny);
process.on("unhandledRejection", deny);
// Node's own remarks (deprecated, experimental) have no place in an answer.
process.emitWarning = () => {};

const parts = new Parts(__dirname);
(parts.load("main") as typeof import("./main.ts")).start(parts, name);

/** Without any part of ours: one of them may be broken. What is not plain ASCII is shown as its number. */
function deny(error: unknown): void {
  const why = String((error as Error)?.message ?? error).replace(
    /[^\n\x20-\x7e]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
  const reason = `The call could not be checked, so it is denied: ${why}`;
  try {
    const words = (JSON.parse(TOOLGATE_LAST_WORDS) as Readonly<Record<string, unknown>>)[name ?? ""];
    if (typeof words === "string")
      writeSync(
        1,
        words.replaceAll('"@reason@"', () => JSON.stringify(reason)),
      );
    writeSync(2, `${reason}\n`);
  } finally {
    process.exit(blockedExit);
  }
}
