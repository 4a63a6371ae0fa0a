/** How an anchor is called in messages: without what an address may hold of secrets. */
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";

export function anchorName(anchor: LedgerAnchor): string {
  if ("file" in anchor) return anchor.file;
  return "url" in anchor ? (URL.parse(anchor.url)?.origin ?? "an address that is none") : "syslog";
}
