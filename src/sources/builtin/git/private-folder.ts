/** A folder that only we can look into, for files that git needs meanwhile, such as an index of our own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function makePrivateFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "toolgate-git-"));
}

export async function removePrivateFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

export async function withPrivateFolder<Value>(use: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await makePrivateFolder();
  try {
    return await use(folder);
  } finally {
    await removePrivateFolder(folder);
  }
}
