/** Keeps what Node compiled of toolgate's own files, so that the next start does not compile it again. Best effort: without it a start takes longer. */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { findFolders } from "../../config/folders.ts";
import { packageVersion } from "../../gate/package-version.ts";

/** Call it before anything large is loaded. */
export function useCompiledCode(env: NodeJS.ProcessEnv): void {
  // Somebody who set this has chosen where it goes, or that it goes nowhere.
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    const all = join(findFolders(env).cache, "start");
    const folder = join(all, packageVersion());
    // Of versions that are gone.
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
      for (const name of readdirSync(all))
        if (join(all, name) !== folder) rmSync(join(all, name), { recursive: true, force: true });
    // Node believes what it finds there: nobody else may put anything into it.
    if (isOwn(all) && isOwn(folder)) nodeModule.enableCompileCache?.(folder);
  } catch {
    // There is no home, or nothing can be written to it.
  }
}

/** Node writes it when a process ends, and many are killed. */
export function keepCompiledCode(): void {
  setTimeout(() => nodeModule.flushCompileCache?.(), keepAfterMs).unref();
}

const keepAfterMs = 3_000;

function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
