/** `toolgate uninstall <agent>`: takes our hooks out of the agent's settings and leaves the rest as it is. */
import { uninstallClaudeCode } from "../../../agents/claude-code/set-up/install.ts";
import { explainForPeople } from "../agent-around.ts";
import { coloursFor } from "../terminal/colours.ts";
import type { CliIo } from "../terminal/io.ts";
import { failed, report, type SetupOptions, setupRequest, shown } from "./install.ts";

export async function runUninstall(options: SetupOptions, io: CliIo): Promise<number> {
  const refused = options.dryRun === true ? undefined : explainForPeople("taking the hooks out", io);
  if (refused !== undefined) return failed(refused, options, io);
  const request = setupRequest(options, io);
  if (typeof request === "string") return failed(request, options, io);
  const result = uninstallClaudeCode(request);
  if (!result.ok) return failed(result.message, options, io);
  const file = shown(result.file, io);
  const colours = coloursFor(io);
  const text = !result.isChanged
    ? `Nothing of toolgate is in ${file}.\n`
    : options.dryRun === true
      ? `Would take the hooks out of ${file}.\n`
      : `${colours.green("✓")} Took the hooks out of ${file}.\n`;
  return report(result, text, options, io);
}
