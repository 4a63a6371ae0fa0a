/** Opens what only this user can have written: somebody else's file would be somebody else's rules. */
import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs";

export type OwnFolder =
  | { readonly ok: true; readonly exists: boolean }
  | { readonly ok: false; readonly message: string };

export function checkOwnFolder(folder: string): OwnFolder {
  let stat: Stats | undefined;
  try {
    stat = statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    return { ok: false, message: `${folder} cannot be looked at: ${(error as Error).message}` };
  }
  if (stat === undefined) return { ok: true, exists: false };
  if (!stat.isDirectory()) return { ok: false, message: `${folder} is not a folder: remove it.` };
  const why = explainForeign(stat);
  if (why === undefined) return { ok: true, exists: true };
  return {
    ok: false,
    message: `${folder} ${why}, so nothing in it can be believed. Make it yours alone: chown and chmod 700 it, or remove it.`,
  };
}

/** Undefined: not there, or not to be believed; either way it has to be made again. */
export function openOwnFile(file: string): { readonly fd: number; readonly size: number } | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && explainForeign(stat) === undefined) return { fd, size: stat.size };
  } catch {
    // Falls through to the close below.
  }
  closeSync(fd);
  return undefined;
}

/** Where users have no numbers, the folder of the user is all the protection there is. */
export function explainForeign({ uid, mode }: Pick<Stats, "uid" | "mode">): string | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  if (uid !== own) return `belongs to user ${uid}, not to you (${own})`;
  return (mode & 0o022) === 0 ? undefined : "can be written by others";
}
