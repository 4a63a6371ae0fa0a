/** Reads the newest signed checkpoints of the state folder, if possible from the end of the file alone. */
import { open } from "node:fs/promises";

const endBytes = 64 * 1024;

/** The lines after the last one that `isKnown`. `isFound` is false if there is none: then all lines. */
export async function readSignedAfter(
  file: string,
  isKnown: (line: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly isFound: boolean }> {
  const end = await readFrom(file, endBytes);
  const at = end.lines.findLastIndex(isKnown);
  if (at >= 0 || end.isAll) return { lines: end.lines.slice(at + 1), isFound: at >= 0 };
  const { lines } = await readFrom(file, Number.POSITIVE_INFINITY);
  const found = lines.findLastIndex(isKnown);
  return { lines: lines.slice(found + 1), isFound: found >= 0 };
}

async function readFrom(
  file: string,
  mostBytes: number,
): Promise<{ readonly lines: string[]; readonly isAll: boolean }> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return { lines: [], isAll: true };
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, mostBytes);
    const bytes = Buffer.alloc(length);
    await handle.read(bytes, 0, length, size - length);
    const isAll = length === size;
    // Whole lines only: the first may be cut, the last may still be being written.
    const lines = bytes
      .toString("utf8")
      .split("\n")
      .slice(isAll ? 0 : 1, -1);
    return { lines: lines.filter((line) => line !== ""), isAll };
  } finally {
    await handle.close();
  }
}
