/** A path in a folder that goes when the test ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function temporaryFile(name = "support.sqlite"): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-support-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}
