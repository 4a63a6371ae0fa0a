/**
 * Returns once no rename or removal that was under way in this directory is unfinished.
 *
 * The kernel lowers a file's count of names first and forgets the removed name afterwards. In between, a file
 * with a second name elsewhere looks like a file whose only name is here. Reading a directory waits for the
 * lock that a change of it holds, so whoever counts names, waits here and then asks for the name cannot see
 * that moment. (It was seen: 6 of 500,000 reads.)
 */
import { opendirSync } from "node:fs";

export function awaitRenames(directory: string): void {
  const entries = opendirSync(directory, { bufferSize: 1 });
  try {
    entries.readSync();
  } finally {
    entries.closeSync();
  }
}
