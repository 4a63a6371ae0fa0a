/**
 * Copies the write-ahead log back into the database file in a thread of its own, so that those who wait for a commit do not wait for that.
 * While others write it can never be done with all of it; the small rest is copied by the writing thread itself, which lets the log begin anew.
 */
import type { DatabaseSync } from "node:sqlite";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { moduleBeside } from "../../safe/isolated/module-beside.ts";

/** A few thousand pages. */
const groupsBetween = 500;

export class CopyBack {
  readonly #database: DatabaseSync;
  readonly #file: string;
  #groups = 0;
  #port: MessagePort | undefined;
  #worker: Worker | undefined;
  #isCopying = false;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** After each commit, when nobody waits for it any more. */
  noteCommit(): void {
    this.#groups++;
    if (this.#isCopying) this.#finish();
    else if (this.#groups >= groupsBetween) {
      this.#groups = 0;
      this.#isCopying = true;
      this.#start().postMessage("copy");
    }
  }

  close(): void {
    this.#port?.close();
    void this.#worker?.terminate();
  }

  #start(): MessagePort {
    if (this.#port !== undefined) return this.#port;
    const { port1, port2 } = new MessageChannel();
    this.#worker = new Worker(moduleBeside(import.meta.url, "./copy-back-worker"), {
      workerData: { file: this.#file, port: port2 },
      transferList: [port2],
      name: "toolgate-store-copy",
      execArgv: [],
    });
    // Without it SQLite copies by itself, later and in the writer's time.
    this.#worker.on("error", () => {});
    this.#worker.unref();
    port1.unref();
    this.#port = port1;
    return port1;
  }

  #finish(): void {
    if (this.#port === undefined || receiveMessageOnPort(this.#port) === undefined) return;
    this.#isCopying = false;
    try {
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // Somebody else copies, or the disk is full; the log stays as it is and nothing is lost.
    }
  }
}
