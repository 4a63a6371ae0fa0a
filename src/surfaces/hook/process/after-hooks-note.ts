/**
 * Leaves a note for the hook's script: the rules of this session have hooks that look at a call after it ran,
 * so the agent has to wait for them. Without the note the script lets the agent go on at once.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookType } from "../../../core/call/hook.ts";
import { forgetOldSessions, isPlainName } from "../../../safe/files/session-files.ts";

/** Throws when it cannot be kept: hooks that nobody waits for would not be heard. */
export function noteAfterHooks(
  stateFolder: string,
  sessionId: string | undefined,
  hooks: readonly { readonly type: HookType }[] = [],
): void {
  // For a session with another name the script always waits.
  if (sessionId === undefined || !isPlainName(sessionId)) return;
  const folder = join(stateFolder, "after-hooks");
  const file = join(folder, sessionId);
  const isNoted = statSync(file, { throwIfNoEntry: false }) !== undefined;
  const isWanted = hooks.some(({ type }) => type !== "PreToolUse");
  if (isNoted === isWanted) return;
  if (!isWanted) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, "", { mode: 0o600 });
  forgetOldSessions(folder, Date.now());
}
