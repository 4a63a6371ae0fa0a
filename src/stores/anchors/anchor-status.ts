/** How far each anchor is and what is wrong with it: a small file for each in the state folder. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";
import { replacePrivateFile } from "../../safe/files/private-file.ts";

export interface AnchorStatus {
  /** Hash of the last line that it took; undefined: none yet. */
  readonly taken?: string;
  /** When it took that. */
  readonly takenAt?: number;
  /** Why it takes nothing now. */
  readonly failing?: { readonly since: number; readonly why: string };
}

/** What cannot be read is as if it were not there: then more is sent than needed. */
export function readAnchorStatus(stateFolder: string, anchor: LedgerAnchor): AnchorStatus {
  try {
    return JSON.parse(readFileSync(statusFile(stateFolder, anchor), "utf8")) as AnchorStatus;
  } catch {
    return {};
  }
}

export function writeAnchorStatus(stateFolder: string, anchor: LedgerAnchor, status: AnchorStatus): void {
  replacePrivateFile(statusFile(stateFolder, anchor), `${JSON.stringify(status)}\n`);
}

function statusFile(stateFolder: string, anchor: LedgerAnchor): string {
  const id = "file" in anchor ? `file ${anchor.file}` : "url" in anchor ? `url ${anchor.url}` : "syslog";
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 16);
  return join(stateFolder, "anchors", `${hash}.json`);
}

/** In messages: without what an address may hold of secrets. */
export function anchorName(anchor: LedgerAnchor): string {
  if ("file" in anchor) return anchor.file;
  return "url" in anchor ? (URL.parse(anchor.url)?.origin ?? "an address that is none") : "syslog";
}
