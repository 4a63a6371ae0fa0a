/** `toolgate replay`: which recorded calls other rules would have decided otherwise. */
import type { LedgerFilter } from "../../../../core/ports/ledger-reader.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { type Replay, type ReplayedChange, replayCalls } from "../../../../replay/replay-calls.ts";
import { describeIgnored, describeNotes, openUsable } from "../../open/effective-config.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { createProgress } from "../../terminal/progress.ts";
import { shownRule } from "../../terminal/shown.ts";
import { wholeNumber } from "../audit/audit.ts";
import { shownTime } from "../audit/describe-entry.ts";
import { type FilterOptions, readFilter } from "../audit/filter.ts";

interface ReplayOptions extends Omit<FilterOptions, "kinds"> {
  /** These rules alone; by default what is found here now. */
  readonly rules?: string | undefined;
  readonly examples?: string | undefined;
  readonly check?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export async function runReplay(options: ReplayOptions, io: CliIo): Promise<number> {
  const { rules, json, check } = options;
  const examples = wholeNumber(options.examples ?? "3", 0, 1_000);
  if (examples === undefined) return fail("--examples takes a number from 0 to 1000.", io);
  const read = readFilter({ since: "7d", ...options }, Date.now());
  if (!read.ok) return fail(read.message, io);
  const config = await openUsable({ config: rules, json }, io);
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  await using store = await openOwnStore(io);
  const replay = await replayShown(store.ledger, config, {
    filter: read.filter,
    onlyProject: rules === undefined,
    io,
  });
  io.out(json === true ? `${JSON.stringify(replayJson(replay), null, 2)}\n` : describe(replay, examples, io));
  return check === true && replay.changes.length > 0 ? exitCodes.failed : exitCodes.ok;
}

async function replayShown(
  ledger: Parameters<typeof replayCalls>[0],
  config: OpenConfig,
  { io, ...options }: { readonly filter: LedgerFilter; readonly onlyProject: boolean; readonly io: CliIo },
): Promise<Replay> {
  using progress = createProgress(io);
  progress.step("Reading the record of calls");
  return await replayCalls(ledger, config, {
    ...options,
    signal: io.signal,
    onProgress: (calls) => progress.show(`${plural(calls, "call")} judged again`),
  });
}

function replayJson({ changes, ...rest }: Replay): object {
  return {
    ...rest,
    changes: changes.map(({ entry, before, now }) => {
      const { seq, callId, at, tool, body } = entry;
      const { verdict, stage, rule, message } = now;
      return { seq, callId, at, tool, input: body.input, before, now: { verdict, stage, rule, message } };
    }),
  };
}

function describe(replay: Replay, examples: number, io: CliIo): string {
  const { calls, changes, leftOut, incomplete } = replay;
  const colours = coloursFor(io);
  const count = `${plural(calls, "recorded call")} replayed`;
  const end = changes.length === 0 ? "no verdict would change" : `${changes.length} would end otherwise`;
  const lines = [`${count}; ${end}.`];
  for (const [kind, group] of byKind(changes)) {
    lines.push("", `  ${colours.bold(kind)}  ${group.length}  ${colours.dim(toolCounts(group))}`);
    for (const change of group.slice(0, examples)) lines.push(...example(change, io));
    if (group.length > examples && examples > 0)
      lines.push(
        colours.dim(`      ... and ${group.length - examples} more (--examples N, or --json for all)`),
      );
  }
  const out = [
    leftOut.elsewhere > 0 && `${leftOut.elsewhere} of other projects`,
    leftOut.limited > 0 && `${leftOut.limited} that a limit or a switch stopped`,
    leftOut.noTool > 0 && `${leftOut.noTool} of tools that are not here`,
  ].filter((one) => one !== false);
  if (out.length > 0) lines.push("", colours.dim(`Left out: ${out.join(", ")}.`));
  if (incomplete > 0)
    lines.push(
      colours.dim(
        `${incomplete} ${incomplete === 1 ? "was" : "were"} recorded without secrets or long texts; rules about those may have decided otherwise.`,
      ),
    );
  return `${lines.join("\n")}\n`;
}

function byKind(changes: readonly ReplayedChange[]): [string, ReplayedChange[]][] {
  const groups = new Map<string, ReplayedChange[]>();
  for (const change of changes) {
    const kind = `${change.before} -> ${change.now.verdict}`;
    groups.set(kind, [...(groups.get(kind) ?? []), change]);
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length);
}

function toolCounts(changes: readonly ReplayedChange[]): string {
  const counts = new Map<string, number>();
  for (const { entry } of changes) counts.set(entry.tool ?? "?", (counts.get(entry.tool ?? "?") ?? 0) + 1);
  const shown = [...counts].sort(([, left], [, right]) => right - left).slice(0, 5);
  return shown.map(([tool, count]) => `${visible(tool)} ${count}`).join(", ");
}

function example({ entry, now }: ReplayedChange, io: CliIo): string[] {
  const { rule, message = "" } = now;
  const input = entry.body.input === undefined ? "" : JSON.stringify(entry.body.input);
  const by = rule === undefined ? "" : `${shownRule(rule, io.cwd)}: `;
  return [
    `      ${shownTime(entry.at)}  ${visible(entry.tool ?? "")} ${visible(input, { maxLength: 120 })}`,
    `          ${by}${visible(message, { maxLength: 160 })}`,
  ];
}
