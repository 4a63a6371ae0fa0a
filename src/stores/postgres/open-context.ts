/** Connects, brings the tables up to date, and registers this process. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PostgresPlace } from "../../core/ports/store.ts";
import { createPrivateFile } from "../../safe/files/private-file.ts";
import { createRedactor } from "../../safe/redact/redact.ts";
import { Bells } from "./bells.ts";
import { toConnection } from "./connect/postgres-url.ts";
import type { PostgresContext } from "./context.ts";
import { Database } from "./database.ts";
import { DatabaseClock } from "./database-clock.ts";
import { sealFolder } from "./ledger/checkpoints.ts";
import { type Head, makeHead } from "./ledger/head.ts";
import { Lives } from "./lives.ts";
import { migrate } from "./migrate.ts";
import { registerNode } from "./nodes.ts";

export async function openContext(
  postgres: PostgresPlace,
  { stateFolder, secrets = [] }: { readonly stateFolder: string; readonly secrets?: readonly string[] },
): Promise<{ readonly context: PostgresContext; readonly head: Head }> {
  const connection = toConnection(postgres);
  const db = await Database.open(connection);
  try {
    await migrate(db);
    const head = await makeHead(db);
    const context: PostgresContext = {
      db,
      bells: new Bells(db),
      clock: new DatabaseClock(),
      redactor: createRedactor({ secrets: [...secrets, ...connection.secrets] }),
      nodeId: randomBytes(12).toString("base64url"),
      place: placeOf(stateFolder),
      stateFolder,
      rules: { own: undefined, others: 0 },
      lives: new Lives(),
    };
    await registerNode(context);
    return { context, head };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Of a context without a store around it: nothing of it is left that others would have to wait for. */
export async function closeContext({ db, bells, nodeId }: PostgresContext): Promise<void> {
  await db.run("DELETE FROM toolgate.nodes WHERE id = $1", [nodeId]).catch(() => {});
  await bells.close();
  await db.close();
}

/** A random name that stays with the state folder: how far its hooks' files are taken is kept under it. */
function placeOf(stateFolder: string): string {
  const folder = sealFolder(stateFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "place");
  createPrivateFile(file, `${randomBytes(12).toString("base64url")}\n`);
  return readFileSync(file, "utf8").trim();
}
