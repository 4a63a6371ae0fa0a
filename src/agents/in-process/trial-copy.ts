/** For the trial of an agent in a home of its own: a file of the person's, to lie there under another name. */
import type { TrialFile } from "../agent-client.ts";
import { readTextFile } from "../read-json-file.ts";

/** Nothing where there is no such file. */
export function copyForTrial(file: string, path: string): TrialFile[] {
  const read = readTextFile(file);
  return read.state === "read" ? [{ path, text: read.text }] : [];
}
