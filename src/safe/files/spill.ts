/** Keeps output that is too long to hand on in private files of a private folder, its secrets taken out. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Spill } from "../../core/ports/ports.ts";
import { quietly } from "../../core/run/quietly.ts";
import { redactText } from "../redact/redact.ts";

export interface FileSpillOptions {
  /** A folder that stays, for the next process to know. Default: a new one in the temporary folder. */
  readonly folder?: string;
  /** Older files are removed at the first need. Only in a folder that stays. */
  readonly keepMs?: number;
  readonly clean?: (text: string) => string;
}

const week = 7 * 24 * 60 * 60 * 1000;

/** The folder is made at the first need. Its files outlive the process: results point to them. */
export function createFileSpill(options: FileSpillOptions = {}): Spill {
  const { folder, keepMs = week, clean = redactText } = options;
  let opening: Promise<string> | undefined;
  /** Its real path: the gate compares with where a path really leads. */
  let base = folder === undefined ? undefined : (quietly(() => realpathSync(folder)) ?? folder);
  let count = 0;

  async function open(): Promise<string> {
    if (folder === undefined) base = await mkdtemp(join(await realpath(tmpdir()), "toolgate-output-"));
    else {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      base = await realpath(folder);
      await removeOld(base, keepMs);
    }
    return base;
  }

  return {
    async save(callId, text, callerId) {
      opening ??= open();
      const own = join(await opening, nameOf(callerId));
      await mkdir(own, { recursive: true, mode: 0o700 });
      const path = join(own, `${callId.replaceAll(/[^\w-]/g, "_")}-${++count}.txt`);
      await writeFile(path, clean(text), { mode: 0o600, flag: "wx" });
      return { path };
    },
    belongsTo: (path, callerId) => base !== undefined && dirname(path) === join(base, nameOf(callerId)),
  };
}

/** A caller's id may hold anything; a folder's name may not. */
function nameOf(callerId: string): string {
  return createHash("sha256").update(callerId).digest("hex").slice(0, 32);
}

async function removeOld(base: string, keepMs: number): Promise<void> {
  const before = Date.now() - keepMs;
  const files = await readdir(base, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of files) {
    if (!file.isFile() || !file.name.endsWith(".txt")) continue;
    const path = join(file.parentPath, file.name);
    const facts = await stat(path).catch(() => undefined);
    if (facts !== undefined && facts.mtimeMs < before) await rm(path, { force: true }).catch(() => undefined);
  }
}
