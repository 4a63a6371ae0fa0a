/**
 * Wakes other processes: says that something changed, never what; whoever is woken reads the rows. One connection
 * listens; what is rung goes out in batches, outside of transactions, because a NOTIFY inside of one makes all commits
 * of the server wait for each other. A bell can be lost: those who wait also look by themselves, and every listener is
 * woken when the connection is back.
 */
import type { Client } from "pg";
import { type Database, whileAwake } from "./database.ts";

export const bellNames = [
  "ledger",
  "checkpoint",
  "approvals",
  "sessions",
  "facts",
  "pins",
  "tokens",
  "parked",
  "clients",
] as const;
export type Bell = (typeof bellNames)[number];

const channel = "toolgate";
const batchMs = 10;
const againMs = 1_000;
const lookMs = 1_000;

export class Bells {
  readonly #db: Database;
  readonly #listeners = new Map<Bell, Set<() => void>>();
  readonly #rung = new Set<Bell>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #sending: NodeJS.Timeout | undefined;
  #underway: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Hears `ring(name)` of this and every other process, sometimes for nothing. Returns how to stop. */
  listen(name: Bell, listener: () => void): () => void {
    const ofName = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, ofName.add(listener));
    void this.#connect();
    return () => ofName.delete(listener);
  }

  /** A bell may be lost, so `look` is also called every second. Returns how to stop. */
  follow(name: Bell, look: () => void): () => void {
    const stopListening = this.listen(name, look);
    const timer = setInterval(look, lookMs).unref();
    return () => {
      stopListening();
      clearInterval(timer);
    };
  }

  /** After the commit. Those in this process are woken at once. */
  ring(name: Bell): void {
    if (this.#closed) return;
    this.#wake(name);
    this.#rung.add(name);
    this.#sendSoon(batchMs);
  }

  /** Something may have been missed. */
  ringHere(): void {
    for (const name of bellNames) this.#wake(name);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sending);
    clearTimeout(this.#again);
    this.#listeners.clear();
    await this.#connecting;
    await this.#underway;
    if (this.#rung.size > 0) await this.#notify([...this.#rung]).catch(() => {});
    await whileAwake(async () => this.#client?.end()).catch(() => {});
  }

  #wake(name: Bell): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener();
  }

  /** One after the other: what is rung while a batch is on its way goes with the next one. */
  #sendSoon(waitMs: number): void {
    if (this.#closed || this.#underway !== undefined) return;
    this.#sending ??= setTimeout(() => {
      this.#sending = undefined;
      this.#underway = this.#send().then((nextMs) => {
        this.#underway = undefined;
        if (this.#rung.size > 0) this.#sendSoon(nextMs);
      });
    }, waitMs).unref();
  }

  /** When to send the next batch. */
  async #send(): Promise<number> {
    const names = [...this.#rung];
    this.#rung.clear();
    try {
      await this.#notify(names);
      return batchMs;
    } catch {
      // Others look by themselves every second; the bell rings again when the database is back.
      for (const name of names) this.#rung.add(name);
      return againMs;
    }
  }

  /** By the connection that listens: the others may all be busy, and whoever waits for the bell would wait for them. */
  async #notify(names: readonly Bell[]): Promise<void> {
    const sql = "SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name";
    if (this.#client === undefined) await this.#db.run(sql, [channel, names]);
    else await this.#client.query(sql, [channel, [...names]]);
  }

  #connect(): Promise<void> {
    if (this.#closed || this.#client !== undefined) return Promise.resolve();
    this.#connecting ??= this.#tryConnect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #tryConnect(): Promise<void> {
    const client = new this.#db.driver.Client(this.#db.clientConfig());
    client.on("notification", ({ payload }) => this.#wake(payload as Bell));
    const lost = () => this.#lose(client);
    client.on("error", lost);
    client.on("end", lost);
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      // Keeps no process alive.
      (
        client as unknown as { connection?: { stream?: { unref?: () => void } } }
      ).connection?.stream?.unref?.();
      this.#client = client;
      this.ringHere();
    } catch {
      await client.end().catch(() => {});
      this.#later();
    }
  }

  #lose(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    else if (this.#client !== undefined) return;
    this.#later();
  }

  /** Until it is back, listeners look every second. */
  #later(): void {
    if (this.#closed || this.#again !== undefined) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.ringHere();
      void this.#connect();
    }, againMs).unref();
  }
}
