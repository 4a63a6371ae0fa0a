/** One secret of all processes that use the database: keys that seal what clients carry around are derived from it. */
import { randomBytes } from "node:crypto";
import type { Statements } from "./database.ts";

export async function openSharedSecret(db: Statements): Promise<Uint8Array> {
  // Of all that are the first, one makes it.
  await db.run("INSERT INTO toolgate.shared_secret VALUES (1, $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString("base64url"),
  ]);
  const [row] = await db.query("SELECT secret FROM toolgate.shared_secret WHERE id = 1");
  return Buffer.from(String(row?.secret), "base64url");
}
