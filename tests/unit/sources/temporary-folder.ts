/** A folder that goes when the test ends; its path holds no links. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function temporaryFolder(name = "test"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `toolgate-${name}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
