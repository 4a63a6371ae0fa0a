import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../../contract/open-sqlite.ts";
import { storeContract } from "../../../contract/store.ts";
import { twoProcessesContract } from "../../../contract/two-processes.ts";
import { temporaryFolder } from "./temporary-store.ts";

storeContract("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-store-"));
  const [store, other] = [await open(folder), await open(folder)];
  const close = async () => {
    await Promise.all([store.close(), other.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, other, close };
});

twoProcessesContract("SQLite", new URL("../../../contract/open-sqlite.ts", import.meta.url), async () => {
  const place = temporaryFolder();
  return { place, open: () => open(place) };
});
