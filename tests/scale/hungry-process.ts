/**
 * Takes a limit all the time until it is killed; says so once it leases. Each call that passes is one byte in `passed` of
 * its folder. Arguments: URL, folder, limit, maximum, window in milliseconds.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/open/open-store.ts";

const [url = "", stateFolder = "", limit = "", max = "", windowMs = ""] = process.argv.slice(2);
const { limits } = await openStore({ stateFolder, postgres: { url } });
const window = { max: Number(max), windowMs: Number(windowMs) };
for (let count = 0; ; count++) {
  const { ok } = await limits.take([{ limit, who: "all", window, concurrent: undefined }], Date.now(), false);
  if (ok) appendFileSync(join(stateFolder, "passed"), ".");
  if (count === 250) process.stdout.write("leases\n");
  await sleep(8);
}
