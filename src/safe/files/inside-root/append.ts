/** Adds to the end of a file in place, through the handle that was checked. */
import { closeSync, constants, fstatSync } from "node:fs";
import { openVerified } from "./grips/open-verified.ts";
import { cancelled, withSpot } from "./grips/with-spot.ts";
import { hashOfFile } from "./read.ts";
import type { Refusal } from "./refusal.ts";
import { fsync, writeAll } from "./replace-file.ts";
import type { Scope } from "./scope.ts";
import {
  refuseUnexpected,
  refuseUnwritable,
  tooLargeToWrite,
  type WriteOptions,
  type Written,
  writeInside,
} from "./write.ts";

/** A missing file is created. */
export async function appendInside(
  scope: Scope,
  request: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<Written | Refusal> {
  const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
  const walkOptions = { access: "write", cwd: options.cwd, makeParents: options.makeParents } as const;
  const appended = await withSpot<Written | undefined>(scope, request, walkOptions, async (spot) => {
    if (spot.target === undefined) return undefined;
    const refused =
      refuseUnwritable(spot, request) ??
      (await refuseUnexpected(scope, spot, request, { ...options, overwrite: true }));
    if (refused !== undefined) return refused;
    const file = openVerified(scope, spot, request, { flags: constants.O_RDWR | constants.O_APPEND });
    if (!file.ok) return file;
    try {
      const size = fstatSync(file.fd).size + bytes.length;
      if (size > scope.maxWriteBytes) return tooLargeToWrite(request, size, scope.maxWriteBytes);
      await writeAll(file.fd, bytes, options.signal);
      if (options.signal?.aborted) return cancelled(request);
      if (scope.durable) await fsync(file.fd);
      const hash = await hashOfFile(file.fd);
      return { ok: true, absolute: spot.absolute, created: false, size, hash: hash! };
    } finally {
      closeSync(file.fd);
    }
  });
  return appended ?? writeInside(scope, request, bytes, { ...options, overwrite: false });
}
