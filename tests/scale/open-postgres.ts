/** The store of a database, for processes of the store contract. The place is JSON: `{ stateFolder, url }`. */
import { openStore } from "../../src/open/open-store.ts";

export const open = (place: string) => {
  const { stateFolder, url } = JSON.parse(place) as { readonly stateFolder: string; readonly url: string };
  return openStore({ stateFolder, postgres: { url } });
};
