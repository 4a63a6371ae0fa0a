/** Where and when the calls of a history were made: a folder that is gone with the test file, and its last day. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export const day = 86_400_000;
export const now = Date.UTC(2026, 10, 2, 12);

/** The workspace. Call it at the top of a test file. */
export function createShop(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-shop-")));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "shop");
  mkdirSync(workspace);
  return workspace;
}
