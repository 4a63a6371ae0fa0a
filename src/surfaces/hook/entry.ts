/** The hook as a process: the one file that agents start. It only starts the rest, and denies if that fails. */
import { writeSync } from "node:fs";
import { findFolders } from "../../config/folders.ts";
import { Parts } from "./load-parts.ts";
import { codeIdentity, codeName } from "./version.ts";

const isClaude = process.argv[2] === "claude-code";

// Whatever breaks, wherever: a denial. Any other end lets the call pass.
process.on("uncaughtException", deny);
process.on("unhandledRejection", deny);
// Node's own remarks (deprecated, experimental) have no place in an answer.
process.emitWarning = () => {};

const { cache } = findFolders(process.env);
const name = codeName();
const parts = new Parts(__dirname, {
  file: (part) => `${cache}/code/${part}-${name}`,
  forWhom: codeIdentity(),
});
const main = parts.load("main") as typeof import("./main.ts");
main.start(parts, isClaude ? "claude-code" : undefined);

/** Without any part of ours: it may be the part that is broken. */
function deny(error: unknown): void {
  const why = error instanceof Error ? error.message : "something that is no error was thrown";
  const permissionDecisionReason = `The call could not be checked, so it is denied: ${why}`;
  const hookSpecificOutput = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason,
  };
  try {
    if (isClaude) writeSync(1, `${JSON.stringify({ hookSpecificOutput })}\n`);
    writeSync(2, `${permissionDecisionReason}\n`);
  } catch {
    // Nobody listens.
  }
  process.exit(2);
}
