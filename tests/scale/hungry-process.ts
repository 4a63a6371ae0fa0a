/** Takes a limit all the time until it is killed; says so once it leases. Arguments: URL, folder, limit, maximum. */
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/open/open-store.ts";

const [url = "", stateFolder = "", limit = "", max = ""] = process.argv.slice(2);
const { limits } = await openStore({ stateFolder, postgres: { url } });
const claim = { limit, who: "all", window: { max: Number(max), windowMs: 10_000 }, concurrent: undefined };
for (let count = 0; ; count++) {
  await limits.take([claim], Date.now(), false);
  if (count === 250) process.stdout.write("leases\n");
  await sleep(8);
}
