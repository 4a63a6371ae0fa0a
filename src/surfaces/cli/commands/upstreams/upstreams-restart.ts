/** `toolgate upstreams restart`: every running toolgate process starts the server anew. */

import { openStoreParts } from "../../../../open/open-store.ts";
import { pinKey } from "../../../../open/resolve-upstreams.ts";
import { storeOf } from "../../../../open/store/find-store.ts";
import { type CommonOptions, openUsable } from "../../open/effective-config.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { chooseUpstreams } from "./choose-upstreams.ts";

interface RestartOptions extends CommonOptions {
  readonly names: readonly string[];
}

export async function runUpstreamsRestart(options: RestartOptions, io: CliIo): Promise<number> {
  const config = await openUsable(options, io);
  const chosen = chooseUpstreams(config, options.names);
  await using parts = openStoreParts(storeOf(config, { stateFolder: config.folders.state, env: io.env }));
  for (const upstream of chosen) await parts.pins.askRestart(pinKey(upstream));
  const names = chosen.map(({ name }) => name);
  if (options.json === true) printJson({ restart: names }, io);
  else io.out(`${names.join(", ")}: every toolgate that runs starts it anew.\n`);
  return exitCodes.ok;
}
