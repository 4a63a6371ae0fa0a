/** Runs a command to its end while the caller waits and follows its newest lines. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { endFacts, howItEnded } from "../../../safe/process/how-it-ended.ts";
import { plainOutput } from "../../../safe/process/plain-output.ts";
import { type EndedProcess, type ProcessOptions, runProcess } from "../../../safe/process/spawn.ts";
import { tellPlanted } from "../../../safe/sandbox/planted.ts";
import { createNewestLines } from "./newest-lines.ts";
import { maxTimeoutMs } from "./options.ts";

/** What a command may write before it counts as one that will never stop. */
const hardMaxBytes = 64 * 1024 * 1024;

export async function runForeground(
  process: ProcessOptions,
  { timeoutMs, maxOutputBytes }: { readonly timeoutMs: number; readonly maxOutputBytes: number },
  context: ToolContext,
): Promise<ToolResult> {
  const newest = createNewestLines(context.progress);
  try {
    const end = await runProcess({
      ...process,
      timeoutMs,
      maxOutputBytes,
      hardMaxBytes,
      signal: context.signal,
      onOutput: (chunk) => newest.add(chunk),
    });
    if (!end.started) return failed(end);
    const refused = tellPlanted(end.planted, process.cwd);
    for (const line of refused) context.note(line);
    return toResult(end, refused);
  } finally {
    newest.close();
  }
}

/**
 * A command that ends with another code than 0 has run, and its code is its answer (`grep` finds nothing, a
 * test fails): no failure of the tool. One that was stopped before its end has not answered.
 */
function toResult(end: EndedProcess, refused: readonly string[]): ToolResult {
  const output = plainOutput(end.stdout + end.stderr).trimEnd();
  const notes = [`[${howItEnded(end)}]`];
  if (end.timedOut)
    notes.push(
      `[Give it more with timeoutMs (at most ${maxTimeoutMs}), or start it with background: true and follow it with shell.output.]`,
    );
  if (end.flooded) notes.push("[Let it write to a file and read the part that matters.]");
  if (end.leftovers > 0)
    notes.push(
      `[${end.leftovers} ${end.leftovers === 1 ? "process it had left running was" : "processes it had left running were"} ended with it; what is to stay needs background: true.]`,
    );
  notes.push(...refused);
  return answered(
    [output === "" ? "(no output)" : output, ...notes].join("\n"),
    endFacts(end),
    end.timedOut || end.flooded || refused.length > 0,
  );
}
