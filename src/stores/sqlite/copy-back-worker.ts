/** The thread that copies the write-ahead log back into the database file. Started by CopyBack. */
import { type MessagePort, workerData } from "node:worker_threads";

const { file, port } = workerData as { readonly file: string; readonly port: MessagePort };
process.emitWarning = () => {};
const { DatabaseSync } = await import("node:sqlite");
const database = new DatabaseSync(file, { timeout: 0 });
port.on("message", () => {
  try {
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // Tried again next time.
  }
  port.postMessage("done");
});
port.on("close", () => database.close());
