/** What waits for a person, at the bottom of the terminal in which `toolgate serve` runs. */
import { messageOf } from "../../../../core/call/errors.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord, Store } from "../../../../open/open-store.ts";
import type { Footer } from "../../terminal/footer.ts";
import type { CliIo } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { watchApprovals } from "../approvals/approvals-watch.ts";
import { shownId } from "../approvals/describe-approval.ts";

/** More would push everything else out of sight. */
const mostShown = 8;

/** Until the signal is aborted. What goes wrong here is told, and nothing else. */
export async function showWaiting(
  store: Pick<Store, "approvals">,
  footer: Footer,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const waiting of watchApprovals(store, signal)) {
      const ids = waiting.map(({ request }) => request.id).join();
      footer.show(describeWaiting(waiting, Date.now(), footer.io), ids);
    }
  } catch (error) {
    if (!signal.aborted)
      footer.io.err(`What waits for an answer cannot be shown any more: ${visible(messageOf(error))}\n`);
  } finally {
    footer.show([], "");
  }
}

/** A line for each, and how to answer. Nothing waits: no line. */
export function describeWaiting(
  waiting: readonly ApprovalRecord[],
  now: number,
  io: Pick<CliIo, "script" | "env" | "cwd">,
): readonly string[] {
  if (waiting.length === 0) return [];
  const shown = [...waiting]
    .sort((a, b) => a.request.createdAt - b.request.createdAt)
    .slice(0, mostShown)
    .map(({ request }) => ({
      id: shownId(request.id),
      left: shownLeft(request.expiresAt - now),
      tool: visible(request.toolId, { maxLength: 32 }),
      rule: request.rule === undefined ? "" : visible(request.rule.name, { maxLength: 32 }),
      input: shortInput(request.input),
    }));
  const widest = (column: "left" | "tool" | "rule") => Math.max(...shown.map((row) => row[column].length));
  const [left, tool, rule] = [widest("left"), widest("tool"), widest("rule")];
  const lines = shown.map(
    (row) =>
      `  ${row.id}  ${row.left.padStart(left)} left  ${row.tool.padEnd(tool)}  ${row.rule.padEnd(rule)}  ${row.input}`,
  );
  const more = waiting.length - shown.length;
  return [
    `${plural(waiting.length, "call waits", "calls wait")} for an answer:`,
    ...lines,
    ...(more > 0 ? [asTyped(`  and ${more} more: toolgate approvals list`, io)] : []),
    asTyped(
      "Answer in another terminal: toolgate approvals approve ID, deny ID; all of it: toolgate approvals show ID",
      io,
    ),
  ];
}

/** Not by the second: lines that are drawn anew all the time cannot be marked and copied. */
function shownLeft(ms: number): string {
  const step = ms > 60_000 ? 60_000 : 10_000;
  return shownDuration(Math.ceil(ms / step) * step);
}

/** The command, address or path says most of what a call does; a line has no room for more than its start. */
function shortInput(input: Readonly<Record<string, unknown>>): string {
  const [first] = ["command", "url", "file_path", "path"].flatMap((key) =>
    typeof input[key] === "string" ? [input[key]] : [],
  );
  return visible(first ?? JSON.stringify(input), { maxLength: 400 });
}
