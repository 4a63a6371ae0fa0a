/** `toolgate suggest`: shows the rules that people's answers speak for, and writes those that a person wants. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { type SuggestedRules, suggestRules } from "../../../../replay/suggest-rules.ts";
import type { Suggestion, SuggestionKind } from "../../../../suggest/suggestion.ts";
import { explainForPeople } from "../../agent-around.ts";
import { writeRuleFile } from "../../open/edit-rule-file.ts";
import { describeIgnored, describeNotes, openUsable } from "../../open/effective-config.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { realPath } from "../../open/real-path.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, fail, type JsonOption, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress } from "../../terminal/progress.ts";
import { shownPath } from "../../terminal/shown.ts";
import { wholeNumber } from "../audit/audit.ts";
import { describeDifference } from "../import/describe-difference.ts";
import { describeReport } from "./describe-report.ts";
import { planWrite } from "./plan-write.ts";

export interface SuggestOptions extends JsonOption {
  readonly ids?: readonly string[] | undefined;
  readonly days?: string | undefined;
  readonly for?: SuggestionKind | undefined;
  readonly write?: string | undefined;
  readonly yes?: boolean | undefined;
}

export async function runSuggest(options: SuggestOptions, io: CliIo): Promise<number> {
  const days = wholeNumber(options.days ?? "30", 1, 365);
  if (days === undefined) return fail("--days takes a number from 1 to 365.", io);
  // What is asked about today, and what would pass tomorrow, is a map for whoever wants to pass.
  const refused = explainForPeople("which rules are proposed", io);
  if (refused !== undefined) return fail(refused, io);
  const config = await openUsable(options, io);
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  const found = await look(config, { days, kind: options.for }, io);
  const chosen = choose(found.report.suggestions, options.ids ?? []);
  const shown = { ...found, report: { ...found.report, suggestions: chosen } };
  if (options.write === undefined) {
    if (options.json === true) return printJson(shown, io);
    io.out(describeReport(shown, days, io));
    return exitCodes.ok;
  }
  return write(shown, { ...options, write: options.write, days }, io);
}

async function look(
  config: Awaited<ReturnType<typeof openUsable>>,
  { days, kind }: { readonly days: number; readonly kind: SuggestionKind | undefined },
  io: CliIo,
): Promise<SuggestedRules> {
  await using store = await openOwnStore(io);
  using progress = createProgress(io);
  progress.step("Reading the record of calls");
  return await suggestRules(store, config, {
    now: Date.now(),
    days,
    signal: io.signal,
    ...(kind !== undefined && { kinds: [kind] }),
    onProgress: (calls) => progress.show(`${calls} calls read`),
  });
}

/** Numbers in a list would shift with the next call; ids belong to the rule. */
function choose(suggestions: readonly Suggestion[], ids: readonly string[]): readonly Suggestion[] {
  for (const id of ids) {
    const many = suggestions.filter((one) => one.id.startsWith(id)).length;
    if (many === 1) continue;
    const how = many === 0 ? "No suggestion begins" : "Several suggestions begin";
    throw new ToolgateError(`${how} with "${visible(id)}"; toolgate suggest lists them.`);
  }
  if (ids.length === 0) return suggestions;
  return suggestions.filter((one) => ids.some((id) => one.id.startsWith(id)));
}

async function write(
  found: SuggestedRules,
  options: Omit<SuggestOptions, "days"> & { readonly write: string; readonly days: number },
  io: CliIo,
): Promise<number> {
  const change = await planWrite(found.report, options.write, io);
  const { file, before, after, names, leftOut } = change;
  const path = shownPath(file, io.cwd);
  if (options.json !== true) {
    io.out(describeReport(found, options.days, io));
    for (const { title, why } of leftOut) io.out(`Not written: ${visible(title)}: ${why}.\n`);
    if (names.length > 0) io.out(`\n${path}:\n${describeDifference(before, after, coloursFor(io))}`);
  }
  const wants = names.length > 0;
  const may = options.yes === true || (options.json !== true && (await confirm("Write this?", io)) === true);
  const written = wants && may;
  if (written) {
    await writeRuleFile(change);
    await warnUnread(change.file, io);
  }
  if (options.json === true) printJson({ file, written, names, leftOut, ...found }, io);
  else if (!wants) io.out("There is nothing to write.\n");
  else if (written)
    io.out(
      `${coloursFor(io).green("✓")} Wrote ${path}.${change.isPrivate ? "" : asTyped(trustHint(path), io)}\n`,
    );
  else io.err("Nothing was changed; --yes writes what is shown above.\n");
  return written === wants ? exitCodes.ok : exitCodes.failed;
}

/** A rule in a file that nobody reads looks as if it were in force. */
async function warnUnread(file: string, io: CliIo): Promise<void> {
  const { sources, folders } = await openUsable({}, io);
  if (sources.some((one) => realPath(one.file) === realPath(file))) return;
  io.err(
    `warning: toolgate does not read ${shownPath(file, io.cwd)} here, so its rules are not in force. Your own file is ${folders.config}/config.yaml\n`,
  );
}

function trustHint(path: string): string {
  return ` If it is a file of a project, what it approves counts when you trust it: toolgate trust ${path}`;
}
