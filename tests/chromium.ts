/** A real Chromium for tests: the one of CHROME_PATH, else the one that comes as a development dependency. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Where it is, or why there is none. */
export type TestChromium = { readonly path: string } | { readonly missing: string };

export const chromium: TestChromium = await findChromium();

async function findChromium(): Promise<TestChromium> {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== "") return { path: named };
  try {
    const path = await unpacked();
    // A library of the system may be missing.
    await promisify(execFile)(path, ["--version"], { timeout: 30_000 });
    return { path };
  } catch (error) {
    const missing = `no Chromium could be had (${error instanceof Error ? error.message : String(error)}); name one by CHROME_PATH`;
    if (process.env.TOOLGATE_CI === "full") throw new Error(missing, { cause: error });
    return { missing };
  }
}

/** Unpacked once and moved into place in one step: several test processes may do it at the same time. */
async function unpacked(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`@sparticuz/chromium has none for ${process.platform} ${process.arch}`);
  const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
  const packed = JSON.parse(readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8"));
  const cache = join(modules, ".cache");
  const folder = join(cache, `toolgate-chromium-${packed.version}`);
  const file = join(folder, "chromium");
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "unpacking-"));
  const before = process.env.TMPDIR;
  try {
    process.env.TMPDIR = fresh;
    const { default: bundled } = await import("@sparticuz/chromium");
    await bundled.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  await rename(fresh, folder).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(file)) throw error;
  });
  return file;
}
