/** The person's own files, as copies for a trial of the agent in a folder of its own. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TrialFile } from "../agent-client.ts";
import { readTextFile } from "../read-json-file.ts";

/** The file, if it is there and can be read. `to`: below the trial's folder. */
export function copyFile(from: string, to: string): TrialFile[] {
  const read = readTextFile(from);
  return read.state === "read" ? [{ path: to, text: read.text }] : [];
}

/** Every `*.json` directly in the folder. */
export function copyJsonFiles(from: string, to: string): TrialFile[] {
  let names: string[];
  try {
    names = readdirSync(from);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => copyFile(join(from, name), `${to}/${name}`));
}
