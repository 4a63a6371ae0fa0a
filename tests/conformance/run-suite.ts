/** Runs the official conformance suite against a server, as its own process, and reads what it found. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

export type Revision = "2025-11-25" | "2026-07-28";

const require = createRequire(import.meta.url);
const suite = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

/** By scenario; all that the suite has for this revision, extensions too. */
export async function runSuite(
  url: string,
  revision: Revision,
  folder: string,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder];
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  const found = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    found.set(scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[]);
  }
  if (found.size === 0) throw new Error(`The suite found nothing to run: ${said.slice(-2_000)}`);
  return found;
}
