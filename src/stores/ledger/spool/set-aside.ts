/** Bytes of a journal or of the spool that are no record: kept in files, for people to look at. */
import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { listOwnFolder, makeOwnFolder } from "./own-folder.ts";

export function asideFolder(stateFolder: string): string {
  return join(stateFolder, "aside");
}

/** Returns its name. Before the commit of what follows them; a second try writes the same file again. */
export function setAside(stateFolder: string, source: string, offset: number, bytes: Buffer): string {
  const folder = asideFolder(stateFolder);
  const name = `${source.replace("/", "-")}@${offset}`;
  makeOwnFolder(folder);
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(join(folder, name), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    if (writeSync(fd, bytes) !== bytes.length)
      throw Object.assign(new Error("the disk took only a part of what is kept aside"), { code: "ENOSPC" });
  } finally {
    closeSync(fd);
  }
  return `aside/${name}`;
}

export interface AsideFile {
  readonly name: string;
  readonly bytes: number;
}

export function listAside(stateFolder: string): AsideFile[] {
  const folder = asideFolder(stateFolder);
  return listOwnFolder(folder).map((name) => ({
    name,
    bytes: statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  }));
}
