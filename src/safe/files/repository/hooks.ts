/** Which hook of a repository a command would run. */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The first of `names` that git would start, or undefined. */
export function findHook(folder: string, names: readonly string[]): string | undefined {
  return names.find((name) => isStarted(join(folder, name)));
}

function isStarted(file: string): boolean {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return false;
    // On Windows nothing says whether a file can be started.
    if (process.platform !== "win32") accessSync(file, constants.X_OK);
    return stats.size > maxBytes || !hookOfLfs.test(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES";
  }
}

const maxBytes = 4096;

/** What git-lfs puts into each of its repositories, word for word but for the message. */
const hookOfLfs =
  /^#!\/bin\/sh\ncommand -v git-lfs >\/dev\/null 2>&1 \|\| \{ (?:echo|printf) >&2 "[^"$`\\]*(?:\\n[^"$`\\]*)*"(?: "[^"$`\\]*")?; exit [02]; \}\ngit lfs (?:post-checkout|post-commit|post-merge|pre-push) "\$@"\n?$/;
