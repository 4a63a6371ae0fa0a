/** The store of the user who runs the command. */
import { findFolders } from "../../../config/folders.ts";
import { openStore, type Store } from "../../../open/open-store.ts";
import type { CliIo } from "../terminal/io.ts";

export function openOwnStore(io: CliIo): Promise<Store> {
  return openStore({ stateFolder: findFolders(io.env).state });
}
