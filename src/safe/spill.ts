/** Keeps output that is too long to hand on in private files of a private folder, its secrets taken out. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Spill } from "../core/ports.ts";
import { redactText } from "./redact.ts";

/** The folder is made at the first need. Files stay after the process ends: the hint in the result points to them. */
export function createFileSpill(parent = tmpdir(), clean: (text: string) => string = redactText): Spill {
  let folder: Promise<string> | undefined;
  let count = 0;
  return {
    async save(callId, text) {
      folder ??= mkdtemp(join(parent, "toolgate-output-"));
      const path = join(await folder, `${callId.replaceAll(/[^\w-]/g, "_")}-${++count}.txt`);
      await writeFile(path, clean(text), { mode: 0o600, flag: "wx" });
      return { path };
    },
  };
}
