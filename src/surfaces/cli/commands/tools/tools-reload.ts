/** `toolgate tools reload`: loads the plugin files of every folder anew and says what came of it. */

import { dirname } from "node:path";
import { plural } from "../../../../core/text/plural.ts";
import { findPluginFolders } from "../../../../open/open-plugins.ts";
import { openTools } from "../../../../open/open-tools.ts";
import {
  type CommonOptions,
  describeIgnored,
  describeNotes,
  openUsable,
} from "../../open/effective-config.ts";
import { describePluginReport } from "../../terminal/describe-plugins.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";

export async function runToolsReload(options: CommonOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  io.err(describeNotes(config.notes, io) + describeIgnored(config.ignored, io));
  await using open = await openTools(config, { durable: false });
  const { report, tools } = open.plugins;
  const { success, errors, warnings, skipped } = report;
  if (options.json === true) {
    const toolCount = open.gate.tools.count;
    printJson({ success, toolCount, errors, warnings, skipped }, io);
  } else {
    const count = plural(tools.length, "plugin tool is", "plugin tools are");
    const wrong = errors.length === 0 ? "" : `, ${plural(errors.length, "error")}`;
    io.out(`${count} loaded${wrong}\n`);
    for (const { path } of findPluginFolders(config)) {
      const here = tools.filter(({ file }) => dirname(file) === path).length;
      if (here > 0) io.out(`  ${here} from ${shownPath(path, io.cwd)}\n`);
    }
  }
  io.err(describePluginReport(report, io));
  return success ? exitCodes.ok : exitCodes.failed;
}
