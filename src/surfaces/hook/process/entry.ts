/**
 * The hook as a process: the one file that agents start. It only starts the rest, and denies if that fails.
 * All of it is compiled anew for every call, so there is little of it.
 */
import { writeSync } from "node:fs";
import { findAgent } from "../../../agents/all-agents.ts";
import { blockedExit } from "../../../core/call/blocked-exit.ts";
import { Parts } from "./load-parts.ts";

const agent = findAgent(process.argv[2]);

// Whatever breaks, wherever: a denial. Any other end lets the call pass.
process.on("uncaughtException", deny);
process.on("unhandledRejection", deny);
// Node's own remarks (deprecated, experimental) have no place in an answer.
process.emitWarning = () => {};

const parts = new Parts(__dirname);
(parts.load("main") as typeof import("./main.ts")).start(parts, agent?.name);

/** Without any part of ours: one of them may be broken. What is not plain ASCII is shown as its number. */
function deny(error: unknown): void {
  const why = String((error as Error)?.message ?? error).replace(
    /[^\n\x20-\x7e]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16).toUpperCase()}}`,
  );
  const reason = `The call could not be checked, so it is denied: ${why}`;
  try {
    if (agent !== undefined) writeSync(1, agent.lastWords(reason));
    writeSync(2, `${reason}\n`);
  } finally {
    process.exit(blockedExit);
  }
}
