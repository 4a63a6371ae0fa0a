/** The store of the user who runs the command. */

import { openStore, type Store } from "../../../open/open-store.ts";
import { findStore } from "../../../open/store/find-store.ts";
import type { CliIo } from "../terminal/io.ts";

export async function openOwnStore(io: CliIo): Promise<Store> {
  return openStore(await findStore(io.env));
}
