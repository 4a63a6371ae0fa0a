/** In tests `safe/isolated/module-beside.ts` is this: the store's thread comes built, everything else from the source. */
const folder = new URL("../node_modules/.cache/toolgate-tests/", import.meta.url);

export const builtThread = new URL("store-thread.mjs", folder);

export function moduleBeside(url: string, name: string): URL {
  return url.endsWith("/stores/sqlite/store-thread.ts") ? builtThread : new URL(`${name}.ts`, url);
}
