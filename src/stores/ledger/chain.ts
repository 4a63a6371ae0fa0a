/** The chain: a row's hash covers its number, its body and the row before. No row can be changed alone. */
import { hash } from "node:crypto";

/** What the first row is chained to. It holds the ledger's id: rows of two ledgers cannot be mixed. */
export function firstHash(ledgerId: string): string {
  return hash("sha256", `toolgate ledger ${ledgerId}`, "hex");
}

export function nextHash(before: string, seq: number, body: string): string {
  return hashOfLink(linkText(before, seq, body));
}

/** What a row's hash is of; it ends with the body. */
export function linkText(before: string, seq: number, body: string): string {
  return `${before}\n${seq}\n${body}`;
}

export function hashOfLink(text: string): string {
  return hash("sha256", text, "hex");
}
