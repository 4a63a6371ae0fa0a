// Four processes that write at once, for as long as they are told: no error, no gap, and the chain can be verified.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { openStore } = await import("../../dist/open/open-store.js");
const writer = fileURLToPath(new URL("./writer.mjs", import.meta.url));

export async function fourWriters(seconds) {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-writers-"));
  try {
    const written = await Promise.all(
      Array.from({ length: 4 }, (_, index) => write(folder, `writer-${index}`, seconds)),
    );
    const store = await openStore({ stateFolder: folder });
    const verified = await store.ledger.verify();
    const { calls, unknown } = await store.ledger.stats();
    await store.close();
    const acknowledged = written.reduce((sum, { calls: some }) => sum + some, 0);
    const errors = written.flatMap(({ error }) => error ?? []);
    const ok =
      errors.length === 0 &&
      verified.ok &&
      calls === acknowledged &&
      unknown === 0 &&
      verified.rows === verified.lastSeq;
    const shares = written.map(({ calls: some }) => some).join("/");
    const summary = `four processes writing for ${seconds} s: ${acknowledged} calls (${shares}), ${verified.rows} rows, ${errors.length} errors, ${verified.lastSeq - verified.rows} gaps, slowest write ${Math.round(Math.max(...written.map(({ slowestMs }) => slowestMs)))} ms, verify ${verified.ok ? "passes" : "FAILS"}${errors.length > 0 ? `: ${errors[0]}` : ""}`;
    return { ok, summary };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(folder, name, seconds) {
  const child = spawn(process.execPath, [writer, JSON.stringify({ folder, name, seconds })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  return code === 0 ? JSON.parse(text) : { calls: 0, slowestMs: 0, error: `${name} ended with ${code}` };
}
