/** `toolgate uninstall <agent>`: takes our hooks out of the agent's settings and leaves the rest as it is. */
import { findFolders } from "../../../../config/folders.ts";
import { coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import {
  failed,
  fileOf,
  isChanged,
  namedBy,
  readSetup,
  report,
  type SetupOptions,
  shown,
} from "./install.ts";
import { openInstallations } from "./installations.ts";

export async function runUninstall(options: SetupOptions, io: CliIo): Promise<number> {
  const asked = readSetup(options, "taking the hooks out", io);
  if (typeof asked === "string") return failed(asked, options, io);
  const setup = await asked.agent.loadSetup();
  const memory = openInstallations(findFolders(io.env).data);
  const result = setup.uninstall({ ...asked.request, memory });
  if (options.dryRun !== true) memory.tidy({ named: namedBy(setup, asked.request) });
  if (!result.ok) return failed(result.message, options, io);
  const file = shown(fileOf(result), io);
  const text = !isChanged(result)
    ? `Nothing of toolgate is in ${file}.\n`
    : options.dryRun === true
      ? `Would take the hooks out of ${file}.\n`
      : `${coloursFor(io).green("✓")} Took the hooks out of ${file}.\n`;
  return report(result, text, options, io);
}
