/** Works out in memory what a patch makes of every file. If any part does not fit, nothing is touched. */
import { basename, dirname, join } from "node:path";
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { bytesOfText, textOfBytes } from "../file-text.ts";
import type { FileChange } from "../journal/commit.ts";
import { locateNew, taken } from "../locate-new.ts";
import type { Rung } from "../match/find.ts";
import { breaksByReturns, singleBreaks } from "../match/line-breaks.ts";
import { maxEditBytes, refuseStale, type Workspace } from "../workspace.ts";
import { applyChunks } from "./apply-chunks.ts";
import type { PatchOperation } from "./operations.ts";

export interface PatchPlan {
  readonly ok: true;
  readonly changes: readonly FileChange[];
  readonly newDirectories: readonly string[];
  /** How loosely a file's lines were found, where it was not exactly. */
  readonly loose: ReadonlyMap<string, Rung>;
}

/** The whole of one call must fit into memory and into a journal. */
const maxTotalBytes = 64 * 1024 * 1024;

export async function planPatch(
  workspace: Workspace,
  operations: readonly PatchOperation[],
): Promise<PatchPlan | Failed> {
  const planner = new Planner(workspace);
  for (const operation of operations) {
    const failed = await planner.take(operation);
    if (failed !== undefined) return failed;
  }
  return planner.finish();
}

interface Entry {
  readonly path: string;
  readonly absolute: string;
  readonly before: FileChange["before"];
  bytes: Buffer | undefined;
  mode: number | undefined;
}

class Planner {
  readonly #workspace: Workspace;
  readonly #entries = new Map<string, Entry>();
  readonly #newDirectories = new Set<string>();
  readonly #loose = new Map<string, Rung>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async take(operation: PatchOperation): Promise<Failed | undefined> {
    if (operation.kind === "add")
      return this.#add(operation.path, Buffer.from(operation.text), operation.mode);
    const entry = await this.#open(operation.path);
    if ("ok" in entry) return entry;
    if (entry.bytes === undefined) return missingNow(operation.path);
    if (operation.kind === "delete") return this.#delete(entry, operation.path, operation.text);
    const { path, chunks, moveTo, keep } = operation;
    const bytes = chunks.length === 0 ? entry.bytes! : this.#chunked(entry, path, operation);
    if ("ok" in bytes) return bytes;
    if (moveTo === undefined) {
      entry.bytes = bytes;
      return undefined;
    }
    const mode = entry.before?.mode ?? entry.mode;
    if (keep !== true) {
      const refused = await this.#refuseLink(entry, path);
      if (refused !== undefined) return refused;
      entry.bytes = undefined;
    }
    return this.#add(moveTo, bytes, mode);
  }

  finish(): PatchPlan | Failed {
    const changes = [...this.#entries.values()]
      .filter(({ before, bytes }) =>
        before === undefined || bytes === undefined ? before !== bytes : !before.bytes.equals(bytes),
      )
      .map(({ path, absolute, before, bytes, mode }) => ({
        path,
        absolute,
        before,
        after: bytes,
        ...(mode !== undefined && { mode }),
      }));
    if (changes.length === 0) {
      const message = "The patch leaves every file as it is. Nothing was changed.";
      return { ok: false, code: "no_change", message };
    }
    const total = changes.reduce(
      (sum, { before, after }) => sum + (before?.bytes.length ?? 0) + (after?.length ?? 0),
      0,
    );
    if (total > maxTotalBytes) {
      const message = `The patch touches ${total} bytes, more than ${maxTotalBytes} at once. Split it.`;
      return { ok: false, code: "too_large", message };
    }
    return { ok: true, changes, newDirectories: [...this.#newDirectories].sort(), loose: this.#loose };
  }

  async #add(path: string, bytes: Buffer, mode: number | undefined): Promise<Failed | undefined> {
    const entry = await this.#open(path);
    if (!("ok" in entry)) {
      if (entry.bytes !== undefined) return taken(path);
      entry.bytes = bytes;
      return undefined;
    }
    if (entry.code !== "not_found") return entry;
    const place = await locateNew(this.#workspace, path);
    if (!place.ok) return place;
    for (const directory of place.newDirectories) this.#newDirectories.add(directory);
    this.#entries.set(place.absolute, { path, absolute: place.absolute, before: undefined, bytes, mode });
    return undefined;
  }

  async #delete(entry: Entry, path: string, text: string | undefined): Promise<Failed | undefined> {
    const refused = await this.#refuseLink(entry, path);
    if (refused !== undefined) return refused;
    const now = text === undefined ? undefined : textOfBytes(entry.bytes!);
    if (text !== undefined && (now === undefined || !sameLines(now, text))) {
      const message = `${JSON.stringify(path)} does not hold what the patch removes. Read it again.`;
      return { ok: false, code: "no_match", message };
    }
    entry.bytes = undefined;
    return undefined;
  }

  #chunked(entry: Entry, path: string, { chunks }: PatchOperation & { kind: "update" }): Buffer | Failed {
    const text = textOfBytes(entry.bytes!);
    if (text === undefined) {
      const message = `${JSON.stringify(path)} is not a text file, so lines of it cannot be changed.`;
      return { ok: false, code: "binary", message };
    }
    const made = applyChunks(text, chunks);
    if (!made.ok) return { ...made, message: `${JSON.stringify(path)}: ${made.message}` };
    const loose = made.rungs.find((rung) => rung !== "exact");
    if (loose !== undefined) this.#loose.set(entry.absolute, loose);
    return bytesOfText(made.text);
  }

  /** The file with what earlier parts of the patch made of it; without bytes when they removed it. */
  async #open(path: string): Promise<Entry | Failed> {
    const { files, place } = this.#workspace;
    const file = await files.read(path, place);
    if (!file.ok) return file.code === "not_found" ? this.#openNew(path, file) : withLimit(file);
    const known = this.#entries.get(file.absolute);
    if (known !== undefined) return known;
    const stale = refuseStale(this.#workspace, path, file, undefined);
    if (stale !== undefined) return stale;
    const entry = { path, absolute: file.absolute, before: file, bytes: file.bytes, mode: undefined };
    this.#entries.set(file.absolute, entry);
    return entry;
  }

  /** A file that an earlier part of the patch makes. */
  async #openNew(path: string, otherwise: Failed): Promise<Entry | Failed> {
    const place = await locateNew(this.#workspace, path);
    return (place.ok ? this.#entries.get(place.absolute) : undefined) ?? otherwise;
  }

  /** Removing a link is not removing the file that it leads to; a patch means the file. */
  async #refuseLink(entry: Entry, path: string): Promise<Failed | undefined> {
    const { files, context } = this.#workspace;
    const parent = await files.stat(dirname(path), { cwd: context.cwd });
    if (!parent.ok || join(parent.absolute, basename(path)) === entry.absolute) return undefined;
    const message = `${JSON.stringify(path)} is a link. Name the file that it leads to, or remove the link with fs.delete.`;
    return { ok: false, code: "not_a_file", message };
  }
}

function sameLines(file: string, text: string): boolean {
  const plain = (text: string) => singleBreaks(text, breaksByReturns(file)).replace(/\n$/, "");
  return plain(file) === plain(text);
}

function missingNow(path: string): Failed {
  const message = `${JSON.stringify(path)} is removed earlier in the patch.`;
  return { ok: false, code: "not_found", message };
}

function withLimit(refusal: Failed): Failed {
  if (refusal.code !== "too_large") return refusal;
  const message = `A file of the patch is larger than ${maxEditBytes / 1024 / 1024} MB; files of that size are not edited here.`;
  return { ...refusal, message };
}
