/** Reads a small text file that anybody may have put there, and tells what else is in its place. */
import { readFileSync, statSync } from "node:fs";

/** `odd`: a folder or a pipe, which must not be opened. `closed`: not ours to read. */
export type SmallFile = { readonly text: string } | "missing" | "odd" | "too large" | "closed";

export function readSmallFile(file: string, maxBytes: number): SmallFile {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return "odd";
    return stats.size > maxBytes ? "too large" : { text: readFileSync(file, "utf8") };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "closed";
  }
}
