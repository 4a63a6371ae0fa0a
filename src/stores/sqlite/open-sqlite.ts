/** Opens the database in a worker thread and hands operations to it: no event loop waits for a disk. */
import { randomBytes } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from "node:worker_threads";
import { messageOf } from "../../core/call/errors.ts";
import { StoreError } from "../../core/ports/store-error.ts";
import type { Area, AreaOptions, Calls } from "./area.ts";
import { BellListeners } from "./bell.ts";
import { type Asks, type FromWorker, partsOfAsk, type Told, type WorkerStart } from "./messages.ts";
import type { DatabaseOptions } from "./open-database.ts";
import { StorePlace } from "./store-place.ts";
import { type StoreThread, startStoreThread } from "./store-thread.ts";

export interface SqliteOptions {
  /** Absolute. Holds `toolgate.sqlite`, `keys/`, `bell/`. */
  readonly stateFolder: string;
  /** Default: `process-death`. */
  readonly durability?: DatabaseOptions["durability"];
  readonly areaOptions?: AreaOptions;
  /** Modules that export a further `area`. For tests: operations that fail or die on purpose. */
  readonly modules?: readonly URL[];
  readonly maxPages?: number;
  /** For tests of a lock that is held: how long the end waits for it. */
  readonly closingPatienceMs?: number;
}

export interface AreaClient<Of extends Area> {
  write<Name extends keyof Of["writes"] & string>(
    name: Name,
    args: Calls<Of["writes"]>[Name]["args"],
  ): Promise<Calls<Of["writes"]>[Name]["out"]>;
  read<Name extends keyof Of["reads"] & string>(
    name: Name,
    args: Calls<Of["reads"]>[Name]["args"],
  ): Promise<Calls<Of["reads"]>[Name]["out"]>;
}

/** Rejects with a StoreError that says what to do when the file cannot be used. */
export async function openSqlite(
  options: SqliteOptions,
  thread: StoreThread = startStoreThread(),
): Promise<SqliteClient> {
  const { stateFolder, durability = "process-death", areaOptions = {}, modules = [], maxPages } = options;
  if (!isAbsolute(stateFolder))
    throw new StoreError("cannot_open", `The state folder must be an absolute path, not "${stateFolder}".`);
  const file = join(stateFolder, "toolgate.sqlite");
  const processId = randomBytes(12).toString("base64url");
  const { port1, port2 } = new MessageChannel();
  const start: WorkerStart = {
    database: { file, durability, maxPages },
    stateFolder,
    processId,
    areaOptions,
    modules: modules.map(({ href }) => href),
    closingPatienceMs: options.closingPatienceMs,
    port: port2,
  };
  thread.open(start, port2);
  const client = new SqliteClient(thread.worker, port1, { file, stateFolder, processId });
  await client.opened;
  return client;
}

/** For a thread that said "closed" and does not end. */
const patienceMs = 5_000;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: StoreError) => void;
}

export class SqliteClient {
  readonly file: string;
  readonly stateFolder: string;
  readonly processId: string;
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #bells: BellListeners;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #finishing: (() => void)[] = [];
  #asks: unknown[] = [];
  #lastId = 0;
  #problem: StoreError | undefined;
  #closing: Promise<void> | undefined;
  /** Why it could not be closed in order. */
  #left: StoreError | undefined;
  #place: StorePlace | undefined;

  constructor(
    worker: Worker,
    port: MessagePort,
    place: { readonly file: string; readonly stateFolder: string; readonly processId: string },
  ) {
    const { file, stateFolder } = place;
    this.file = file;
    this.stateFolder = stateFolder;
    this.processId = place.processId;
    this.opened = this.#ready.promise;
    this.#worker = worker;
    this.#port = port;
    this.#bells = new BellListeners(stateFolder);
    port.on("message", (message: FromWorker) => this.#hear(message));
    worker.on("error", (error) => this.#end(stopped(file, messageOf(error))));
    worker.on("exit", () => {
      // It may be gone before its last word is heard.
      for (let last = receiveMessageOnPort(port); last !== undefined; last = receiveMessageOnPort(port))
        this.#hear(last.message as FromWorker);
      this.#end(this.#closing ? closed(file) : stopped(file, "its thread ended"));
      this.#exited.resolve();
    });
    // The port alone keeps the process alive, and only while somebody waits for an answer.
    worker.unref();
  }

  /** Why it can no longer be used. */
  get problem(): StoreError | undefined {
    if (this.#problem !== undefined || this.#closing === undefined) return this.#problem;
    return closed(this.file);
  }

  area<Of extends Area>(name: Of["name"]): AreaClient<Of> {
    return {
      write: (operation: string, args: unknown) => this.#ask("write", `${name}.${operation}`, args),
      read: (operation: string, args: unknown) => this.#ask("read", `${name}.${operation}`, args),
    } as AreaClient<Of>;
  }

  /** Hears `store.ring(name)` of this and every other process. Returns how to stop. */
  listen(name: string, listener: () => void): () => void {
    return this.#bells.listen(name, listener);
  }

  /** Throws a StoreError where the state folder is no longer the one that was opened. */
  checkPlace(): void {
    this.#place?.check();
  }

  /** Done before the thread is told to close. */
  beforeClose(finish: () => void): void {
    this.#finishing.push(finish);
  }

  /** Rejects with a StoreError when something was left for the next process. It is closed all the same. */
  close(): Promise<void> {
    for (const finish of this.#finishing.splice(0)) finish();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #ask(kind: "write" | "read", name: string, args: unknown): Promise<unknown> {
    const { problem } = this;
    if (problem !== undefined) return Promise.reject(problem);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      if (this.#waiting.size === 0) this.#port.ref();
      this.#waiting.set(id, { resolve, reject });
      // One message for everything that is asked at this moment. While the thread is busy anyway, for
      // everything that comes in this turn: waking the thread costs more than what it is woken for.
      if (this.#asks.length === 0) {
        if (this.#waiting.size === 1) process.nextTick(() => this.#send());
        else setImmediate(() => this.#send());
      }
      this.#asks.push(id, kind, name, args);
    });
  }

  #send(): void {
    const asks = this.#asks;
    this.#asks = [];
    if (asks.length === 0) return;
    try {
      this.#port.postMessage(asks);
    } catch {
      // One argument that cannot cross takes the others with it; each then goes alone.
      for (let at = 0; at < asks.length; at += partsOfAsk) this.#sendOne(asks.slice(at, at + partsOfAsk));
    }
  }

  #sendOne(ask: Asks): void {
    try {
      this.#port.postMessage(ask);
    } catch (error) {
      this.#take(ask[0] as number)?.reject(new StoreError("failed", messageOf(error)));
    }
  }

  #hear(message: FromWorker): void {
    if (message.kind === "told") {
      this.#settle(message);
      if (this.#waiting.size === 0 && this.#closing === undefined) this.#port.unref();
    } else if (message.kind === "ready") {
      this.#place = new StorePlace(this.file);
      this.#ready.resolve();
      this.#port.unref();
    } else if (message.kind === "refused") {
      this.#end(new StoreError(message.problem, message.message));
    } else {
      if (message.left !== undefined) this.#left = new StoreError(message.left.problem, message.left.message);
      this.#end(closed(this.file));
    }
  }

  #settle({ done, values, failed }: Told): void {
    for (const id of done) this.#take(id)?.resolve(undefined as never);
    for (const [id, value] of values) this.#take(id)?.resolve(value as never);
    for (const [id, problem, message] of failed) this.#take(id)?.reject(new StoreError(problem, message));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  async #close(): Promise<void> {
    this.#bells.close();
    this.#port.ref();
    if (this.#problem === undefined) {
      if (this.#asks.length > 0) this.#send();
      this.#port.postMessage("close");
      await this.#ended.promise;
    }
    await this.#exit();
    if (this.#left !== undefined) throw this.#left;
  }

  /** A thread that closed its port ends by itself. Stopped while another starts, it could end the process. */
  async #exit(): Promise<void> {
    this.#worker.ref();
    const patience = setTimeout(() => void this.#worker.terminate(), patienceMs);
    await this.#exited.promise;
    clearTimeout(patience);
  }

  /** Whoever waits must hear that it will not come. */
  #end(problem: StoreError): void {
    if (this.#problem !== undefined) return;
    this.#problem = problem;
    this.#ready.reject(problem);
    for (const waiting of this.#waiting.values()) waiting.reject(problem);
    this.#waiting.clear();
    this.#port.close();
    this.#bells.close();
    this.#ended.resolve();
  }
}

function closed(file: string): StoreError {
  return new StoreError("closed", `The store ${file} is closed.`);
}

function stopped(file: string, why: string): StoreError {
  return new StoreError(
    "failed",
    `The store ${file} stopped working: ${why}. Nothing runs without a record.`,
  );
}
