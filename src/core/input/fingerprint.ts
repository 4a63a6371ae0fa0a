/** One short name per JSON value: what approvals and grants are bound to. */
import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import type { Json } from "./json.ts";

export function fingerprint(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
