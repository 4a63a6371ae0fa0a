/** The names in folders, kept between calls until the folder changes: a look is cheaper than a list. */
import { readdirSync, statSync } from "node:fs";

export interface ListedFolder {
  readonly entries: readonly { readonly name: string; readonly kind: "file" | "folder" | "link" }[];
  /** It was read now, not remembered. */
  readonly isNew: boolean;
}

export interface FolderCache {
  /** Undefined: it is no folder, or cannot be read. */
  list(folder: string): ListedFolder | undefined;
}

interface Kept {
  readonly stamp: string;
  readonly entries: ListedFolder["entries"];
}

/** About 20 MB at the most. */
const maxKeptEntries = 200_000;
/** A folder that changed so recently may change again within the same tick of the file system's clock. */
const settledMs = 2_000;

export function createFolderCache(now: () => number = Date.now): FolderCache {
  const kept = new Map<string, Kept>();
  let size = 0;
  return {
    list(folder) {
      try {
        const { mtimeNs, ctimeNs, ino, dev, ctimeMs } = statSync(folder, { bigint: true });
        const stamp = `${dev}:${ino}:${mtimeNs}:${ctimeNs}`;
        const known = kept.get(folder);
        if (known?.stamp === stamp) return { entries: known.entries, isNew: false };
        const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => ({
          name: entry.name,
          kind: entry.isDirectory()
            ? ("folder" as const)
            : entry.isSymbolicLink()
              ? ("link" as const)
              : ("file" as const),
        }));
        if (known !== undefined) size -= known.entries.length + 1;
        kept.delete(folder);
        // Not its mtime, which anybody can set back.
        if (now() - Number(ctimeMs) > settledMs) {
          if (size > maxKeptEntries) {
            kept.clear();
            size = 0;
          }
          kept.set(folder, { stamp, entries });
          size += entries.length + 1;
        }
        return { entries, isNew: true };
      } catch {
        return undefined;
      }
    },
  };
}
