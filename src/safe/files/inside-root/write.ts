/** Writes a file as a whole: readers see old or new contents. With a hash, only what was read is replaced. */
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants } from "node:fs";
import { openVerified } from "./grips/open-verified.ts";
import type { Spot } from "./grips/walk.ts";
import { cancelled, missing, refuseHardLink, refuseSpecial, withSpot } from "./grips/with-spot.ts";
import { contentHash, hashOfFile } from "./read.ts";
import { quoted, type Refusal, refusePath } from "./refusal.ts";
import { createTemporary, fsync, place, removeQuietly, syncDirectory, writeAll } from "./replace-file.ts";
import type { Scope } from "./scope.ts";

export interface WriteOptions {
  readonly cwd?: string;
  /** The hash that `read` returned: only that content is replaced. `null`: only if there is no file. */
  readonly expectedHash?: string | null;
  /** False: only if there is no file. Default true. */
  readonly overwrite?: boolean;
  /** Make the directories that are missing. Default false. */
  readonly makeParents?: boolean;
  /** Permission bits of a new file; an existing file keeps its own. */
  readonly mode?: number;
  /** Names the file that is filled first (`.toolgate-NAME.tmp`), for a journal to remove. Default: random. */
  readonly temporaryName?: string;
  readonly signal?: AbortSignal;
}

export interface Written {
  readonly ok: true;
  readonly absolute: string;
  readonly created: boolean;
  readonly size: number;
  readonly hash: string;
}

export async function writeInside(
  scope: Scope,
  request: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<Written | Refusal> {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  if (bytes.length > scope.maxWriteBytes) return tooLargeToWrite(request, bytes.length, scope.maxWriteBytes);
  const walkOptions = { access: "write", cwd: options.cwd, makeParents: options.makeParents } as const;
  return withSpot(scope, request, walkOptions, async (spot) => {
    const refused =
      refuseUnwritable(spot, request) ?? (await refuseUnexpected(scope, spot, request, options));
    if (refused !== undefined) return refused;
    const parent = spot.parent!;
    const temporary = temporaryFileName(options.temporaryName);
    const fd = createTemporary(scope, spot, temporary, options.mode);
    let placed = false;
    try {
      await writeAll(fd, bytes, options.signal);
      if (options.signal?.aborted) return cancelled(request);
      if (scope.durable) await fsync(fd);
      placed = place(scope, spot, temporary, options);
      if (!placed) return stale(request);
      spot.targetIsGone();
    } finally {
      closeSync(fd);
      if (!placed) removeQuietly(`${parent.at}/${temporary}`);
    }
    if (scope.durable) await syncDirectory(scope, parent);
    const created = spot.target === undefined;
    return { ok: true, absolute: spot.absolute, created, size: bytes.length, hash: contentHash(bytes) };
  });
}

export function temporaryFileName(name: string = randomBytes(9).toString("base64url")): string {
  if (!/^[\w-]{1,64}$/.test(name)) throw new TypeError(`not a name for a temporary file: ${quoted(name)}`);
  return `.toolgate-${name}.tmp`;
}

export function refuseUnwritable(spot: Spot, request: string): Refusal | undefined {
  if (spot.parent === undefined)
    return refusePath("not_a_file", request, "is the root directory. Name a file inside it.");
  if (spot.target === undefined) return undefined;
  const special = refuseSpecial(spot.target, request);
  if (special !== undefined) return special;
  if (spot.target.stats.nlink > 1n) return refuseHardLink(request, "which a change would part or alter");
  // A rename needs no permission on the file itself; read-only must mean read-only all the same.
  accessSync(spot.target.at, constants.W_OK);
  return undefined;
}

export async function refuseUnexpected(
  scope: Scope,
  spot: Spot,
  request: string,
  options: WriteOptions,
): Promise<Refusal | undefined> {
  const { expectedHash } = options;
  if (spot.target === undefined) return typeof expectedHash === "string" ? missing(request) : undefined;
  if (expectedHash === null || options.overwrite === false) {
    return refusePath("exists", request, "exists already. Read it first, or choose another name.");
  }
  if (expectedHash === undefined) return undefined;
  const file = openVerified(scope, spot, request);
  if (!file.ok) return file;
  const now = await hashOfFile(file.fd, options.signal).finally(() => closeSync(file.fd));
  if (now === undefined) return cancelled(request);
  return now === expectedHash ? undefined : stale(request);
}

function stale(request: string): Refusal {
  return refusePath("stale", request, "changed since it was read. Read it again, then repeat the change.");
}

export function tooLargeToWrite(request: string, size: number, limit: number): Refusal {
  return refusePath(
    "too_large",
    request,
    `would have ${size} bytes, more than the ${limit} allowed. Write less, or split it.`,
  );
}
