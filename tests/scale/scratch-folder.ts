/** A folder for a group of tests, removed after everything else of the group. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-scale-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
