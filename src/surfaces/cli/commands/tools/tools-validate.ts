/** `toolgate tools validate`: loads plugin files as the user's own, and says what is wrong. */

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { plural } from "../../../../core/text/plural.ts";
import { openTools } from "../../../../open/open-tools.ts";
import { isPluginName } from "../../../../sources/plugins/plugin-folders.ts";
import { type CommonOptions, openUsable } from "../../open/effective-config.ts";
import { describePluginErrors, describePluginWarnings } from "../../terminal/describe-plugins.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";

interface ToolsValidateOptions extends CommonOptions {
  readonly files: readonly string[];
}

export async function runToolsValidate(options: ToolsValidateOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  const files = [...new Set(options.files.map((file) => resolve(io.cwd, file)))];
  await using open = await openTools(config, { durable: false, pluginFiles: files });
  const { success, toolCount, errors, warnings } = open.plugins.report;
  if (options.json === true) printJson({ success, toolCount, errors, warnings }, io);
  else if (success) {
    const tools = plural(toolCount, "tool");
    io.out(`${plural(files.length, "file is", "files are")} fine: ${tools}\n`);
  }
  io.err(describePluginErrors(errors, io.cwd) + describePluginWarnings(warnings, io.cwd));
  for (const file of files.filter((one) => existsSync(one) && !isPluginName(basename(one))))
    io.err(
      `${shownPath(file, io.cwd)}: note: by this name no folder loads it; give it one that ends in .json, .yaml or .yml.\n`,
    );
  return success ? exitCodes.ok : exitCodes.failed;
}
