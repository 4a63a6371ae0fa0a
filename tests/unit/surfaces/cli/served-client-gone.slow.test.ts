import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

it("a process that follows a session says so when the server is gone, and does not just end", () => {
  const folder = mkdtempSync(join(tmpdir(), "served-gone-"));
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, `${"a".repeat(43)}\n`, { mode: 0o600 });
  const module = resolve(import.meta.dirname, "../../../../src/surfaces/cli/open/served-sessions.ts");
  const announced = JSON.stringify({ url: "http://127.0.0.1:1", tokenFile, version: "1" });
  const script = `
    const { createServedClient } = await import(${JSON.stringify(module)});
    const { signal } = new AbortController();
    for await (const _ of createServedClient(${announced}).events("s", { signal }));`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toContain("The server at http://127.0.0.1:1 does not answer");
  expect(status).toBe(1);
});
