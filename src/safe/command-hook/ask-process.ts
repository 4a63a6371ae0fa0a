/** One call, one process: the call goes in by standard input, the answer comes out. */

import { blockedExit } from "../../core/call/blocked-exit.ts";
import type { CommandHook, HookEvent, HookReply } from "../../core/call/hook.ts";
import { exactDuration } from "../../core/text/duration.ts";
import { runProcess } from "../process/spawn.ts";
import { MAX_TIMEOUT_MS } from "../process/start-failure.ts";
import { hookInput } from "./hook-input.ts";
import { maxAnswerBytes, programOf } from "./program.ts";
import { readPrinted, shorten } from "./read-answer.ts";

/** The caller's own time-out comes first; this one is for a caller that forgot. */
const spareMs = 5_000;

/** Throws when the hook has failed. Returns only when nothing of the process is left. */
export async function askProcess(
  hook: CommandHook,
  event: HookEvent,
  { projectDir, timeoutMs, signal }: AskPlace,
): Promise<HookReply> {
  const end = await runProcess({
    ...programOf(hook, projectDir),
    input: `${JSON.stringify(hookInput(hook, event))}\n`,
    timeoutMs: Math.min(timeoutMs + spareMs, MAX_TIMEOUT_MS),
    hardMaxBytes: 2 * maxAnswerBytes,
    signal,
  });
  if (!end.started) throw new Error(end.message.replace(/\.$/, ""));
  if (end.aborted) throw new Error("it was stopped");
  if (end.timedOut) throw new Error(`it did not end within ${exactDuration(timeoutMs + spareMs)}`);
  if (end.flooded || end.truncated) throw new Error(`it printed more than ${maxAnswerBytes} bytes`);
  const { exitCode, signal: endedBy, stdout, stderr } = end;
  if (exitCode === 0) return readPrinted(stdout, event);
  if (exitCode === blockedExit) return objection(hook, event, { stdout, stderr });
  const how = exitCode === null ? `was ended by ${endedBy}` : `exited with code ${exitCode}`;
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  throw new Error(last === "" ? `it ${how}` : `it ${how}: ${shorten(last, 500)}`);
}

export interface AskPlace {
  readonly projectDir: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** For Claude Code, exit 2 after the call is a remark for the model; for ours it ends the task. */
function objection(
  { wire }: CommandHook,
  event: HookEvent,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): HookReply {
  const why = stderr.trim();
  if (wire === "claude-code" && !("preToolUse" in event)) return spokenIn(stdout, event) ?? why;
  return { cancel: true, ...(why !== "" && { errorMessage: shorten(why, 20_000) }) };
}

/** That client reads the answer also at exit 2; what is no answer there is nothing. */
function spokenIn(stdout: string, event: HookEvent): HookReply {
  try {
    const said = readPrinted(stdout, event);
    return typeof said === "object" ? said : undefined;
  } catch {
    return undefined;
  }
}
