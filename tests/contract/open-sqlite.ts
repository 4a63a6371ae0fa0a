/** The store of a state folder, for processes of the store contract. */
import { openStore } from "../../src/open/open-store.ts";

export const open = (place: string) => openStore({ stateFolder: place });
