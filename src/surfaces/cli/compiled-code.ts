/** Keeps what Node compiled of toolgate's files for the next start. Best effort. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { findFolders } from "../../config/folders.ts";
import { packageVersion } from "../../gate/package-version.ts";

/** To be called before anything large is loaded. */
export function useCompiledCode(env: NodeJS.ProcessEnv): void {
  // These variables already say where compiled code is kept, or that it is not kept.
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    const all = join(findFolders(env).cache, "start");
    const folder = join(all, packageVersion());
    // Of versions that are gone.
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
      for (const name of readdirSync(all))
        if (join(all, name) !== folder) rmSync(join(all, name), { recursive: true, force: true });
    // Node trusts the files in this folder: nobody else may write into it.
    if (isOwn(all) && isOwn(folder)) nodeModule.enableCompileCache?.(folder);
  } catch {
    // There is no home folder, or it cannot be written.
  }
}

/** Node writes compiled code when a process ends, but many processes are killed. */
export function keepCompiledCode(): void {
  setTimeout(() => nodeModule.flushCompileCache?.(), keepAfterMs).unref();
}

const keepAfterMs = 3_000;

function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
