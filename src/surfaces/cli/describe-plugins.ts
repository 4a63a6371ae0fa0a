/** What there is to say about plugin files, for a person: every error with its place, and what is not loaded and why. */
import { visible } from "../../core/visible.ts";
import { describePluginError, type PluginError } from "../../sources/plugins/plugin-error.ts";
import type { PluginReport } from "../../sources/plugins/plugin-set.ts";
import { shownPath } from "./shown-path.ts";

/** Empty text: nothing to say. */
export function describePluginReport({ errors, skipped }: PluginReport, cwd: string): string {
  const files = skipped.map(({ file }) => shownPath(file, cwd));
  const untrusted =
    files.length === 0
      ? ""
      : `Not loaded, because a project's plugins need your trust (look at them, then run: toolgate trust):\n${files.map((file) => `  ${file}\n`).join("")}`;
  return describePluginErrors(errors, cwd) + untrusted;
}

export function describePluginErrors(errors: readonly PluginError[], cwd: string): string {
  return errors
    .map((error) => `${visible(describePluginError(error, shownPath(error.source, cwd)))}\n`)
    .join("");
}
