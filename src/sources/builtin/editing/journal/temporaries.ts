/**
 * One file is replaced without a journal: it is filled under a temporary name and renamed. So that a crash in
 * between leaves nothing in the workspace, each folder is noted in the state folder before the first such
 * file is made in it, and the next start looks there.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  createInsideRoot,
  type InsideRoot,
  temporaryFileName,
} from "../../../../safe/files/inside-root/inside-root.ts";
import { journalFolder } from "./journal.ts";
import { isDead, thisOwner } from "./owner.ts";

export interface Temporaries {
  /** The same files, whose writes without a journal use names that can be found again. */
  of(files: InsideRoot): InsideRoot;
}

interface Note {
  readonly roots: readonly string[];
  readonly path: string;
}

const noteFile = /^temporary\.[0-9a-f]{18}\.([\w-]+)$/;
/** Where more are noted, the notes begin anew: what was noted stays so. */
const mostNoted = 10_000;

export function createTemporaries(stateFolder: string): Temporaries {
  const tag = randomBytes(9).toString("hex");
  const noted = new Set<string>();
  /** Numbers that no write uses now, so that few names are ever used. */
  const free: number[] = [];
  let next = 0;

  function note(roots: readonly string[], path: string): void {
    if (noted.has(path)) return;
    const line = `${JSON.stringify({ roots, path } satisfies Note)}\n`;
    appendFileSync(join(journalFolder(stateFolder), `temporary.${tag}.${thisOwner()}`), line, {
      mode: 0o600,
    });
    if (noted.size >= mostNoted) noted.clear();
    noted.add(path);
  }

  return {
    of: (files) => ({
      ...files,
      async write(path, data, options = {}) {
        if (options.temporaryName !== undefined) return files.write(path, data, options);
        const number = free.pop() ?? next++;
        const temporaryName = `${tag}-${number}`;
        const folder = dirname(resolve(options.cwd ?? files.roots[0] ?? "/", path));
        note(files.roots, join(folder, temporaryFileName(temporaryName)));
        const written = await files.write(path, data, { ...options, temporaryName });
        // Not when it threw: the name may still be taken.
        free.push(number);
        return written;
      },
    }),
  };
}

/** What processes that are gone left. Several may do this at once. */
export async function removeLeftTemporaries(stateFolder: string): Promise<void> {
  const folder = join(stateFolder, "journals");
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const name of readdirSync(journalFolder(stateFolder))) {
    const [, owner] = noteFile.exec(name) ?? [];
    const path = join(folder, name);
    const stat = owner === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (owner === undefined || !stat?.isFile() || !isDead(owner, Date.now() - stat.mtimeMs)) continue;
    for (const line of readFileSync(path, "utf8").split("\n")) await removeNoted(line, stateFolder);
    rmSync(path, { force: true });
  }
}

/** A line that is none, or roots that are gone: there is nothing to remove. */
async function removeNoted(line: string, stateFolder: string): Promise<void> {
  try {
    const { roots, path } = JSON.parse(line) as Note;
    const files = createInsideRoot({
      roots,
      statePaths: [stateFolder],
      allowProtected: (absolute) => absolute === path,
    });
    await files.remove(path);
  } catch {
    // Nothing there.
  }
}
