/** Begins a call, says so, and ends it when it is told to. Arguments: URL, folder. */
import { once } from "node:events";
import { openStore } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";

const [url = "", stateFolder = ""] = process.argv.slice(2);
await using store = await openStore({ stateFolder, postgres: { url } });
await store.ledger.open(intent("paused"));
process.stdout.write("begun\n");
await once(process.stdin, "data");
await store.ledger.close(record("paused"));
process.stdin.destroy();
