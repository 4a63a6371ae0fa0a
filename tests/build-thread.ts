/**
 * Builds the store's thread once for all test files. As source, Node would strip its types anew in every thread: slow, and with WebAssembly
 * that is still being compiled when the thread ends.
 */
import { mkdirSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { builtThread } from "./module-beside.ts";

export async function setup(): Promise<void> {
  mkdirSync(new URL(".", builtThread), { recursive: true });
  const outfile = fileURLToPath(builtThread);
  // Another run may be using it at this moment.
  const fresh = `${outfile}.${process.pid}`;
  await build({
    entryPoints: [fileURLToPath(new URL("../src/stores/sqlite/worker.ts", import.meta.url))],
    outfile: fresh,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    packages: "external",
    logLevel: "error",
  });
  renameSync(fresh, outfile);
}
