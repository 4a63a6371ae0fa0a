/** Plugin files for a person: every error with its place, and what is not loaded and why. */
import { visible } from "../../../core/text/visible.ts";
import { describePluginError, type PluginError } from "../../../sources/plugins/plugin-error.ts";
import type { PluginReport } from "../../../sources/plugins/plugin-set.ts";
import type { CliIo } from "./io.ts";
import { asTyped } from "./own-command.ts";
import { shownPath } from "./shown.ts";

/** Empty text: nothing to say. */
export function describePluginReport({ errors, warnings, skipped }: PluginReport, io: CliIo): string {
  const { cwd } = io;
  const files = skipped.map(({ file }) => shownPath(file, cwd));
  const untrusted =
    files.length === 0
      ? ""
      : `Not loaded, because a project's plugins need your trust (${asTyped("look at them, then run: toolgate trust", io)}):\n${files.map((file) => `  ${file}\n`).join("")}`;
  return describePluginErrors(errors, cwd) + describePluginWarnings(warnings, cwd) + untrusted;
}

/** What keeps one tool from being loaded. Nothing for a tool that is loaded. */
export function describePluginsAbout(
  name: string,
  isThere: boolean,
  { errors, skipped, ...report }: PluginReport,
  io: CliIo,
): string {
  // A file that could not be read at all may be the one that has the tool.
  const about = errors.filter(({ toolName }) => toolName === name || (toolName === undefined && !isThere));
  return describePluginReport(
    { ...report, errors: about, warnings: [], skipped: isThere ? [] : skipped },
    io,
  );
}

export function describePluginErrors(errors: readonly PluginError[], cwd: string): string {
  return errors
    .map((error) => `${visible(describePluginError(error, shownPath(error.source, cwd)))}\n`)
    .join("");
}

export function describePluginWarnings(warnings: readonly PluginError[], cwd: string): string {
  return warnings
    .map((warning) => `warning: ${visible(describePluginError(warning, shownPath(warning.source, cwd)))}\n`)
    .join("");
}
