/** What operations work with: the database, compiled statements, and the bells to ring after the commit. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { StorePlace } from "./store-place.ts";

export type Row = Record<string, SQLInputValue>;
/** What has no value is NULL. */
export type NewRow = Readonly<Record<string, SQLInputValue | undefined>>;

type Table =
  | "approvals"
  | "grants"
  | "limit_places"
  | "processes"
  | "sessions"
  | "session_items"
  | "session_prompts";

interface Place {
  readonly file: string;
  readonly stateFolder: string;
  readonly processId: string;
}

export class Context implements Place {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly stateFolder: string;
  /** This process's row in `processes`. */
  readonly processId: string;
  /** Forgotten when the transaction ends, however it ends. Values must not be changed, only replaced. */
  readonly memo = new Map<string, unknown>();
  /** Forgotten also when one operation of the group is undone, so values may be changed. */
  readonly cached = new Map<string, unknown>();
  /** What an area keeps as long as the store is open, under its name. */
  readonly kept = new Map<string, unknown>();
  readonly rung = new Set<string>();
  /** What areas still have to write before a transaction may be committed. */
  beforeCommit: () => void = () => {};
  onCommit: () => void = () => {};
  /** How long a group waits for the lock of another process. Undefined: as long as usual. */
  patienceMs: number | undefined;
  readonly #statements = new Map<string, StatementSync>();
  readonly #place: StorePlace;

  constructor(database: DatabaseSync, { file, stateFolder, processId }: Place) {
    this.database = database;
    this.file = file;
    this.stateFolder = stateFolder;
    this.processId = processId;
    this.#place = new StorePlace(file);
  }

  /** Throws where the state folder is no longer the one that was opened: before a file in it is written. */
  checkPlace(): void {
    this.#place.check();
  }

  /** Compiled once per text. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  /** By column. With `number` the row gets the next one of its table. */
  insert(table: Table, row: NewRow, numbered?: "number"): void {
    const number = numbered && this.get(`SELECT COALESCE(MAX(number), 0) + 1 AS number FROM ${table}`);
    const values = { ...row, ...number };
    const names = Object.keys(values);
    const places = names.map(() => "?").join(", ");
    const given = Object.values(values).map((value) => value ?? null);
    this.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`, ...given);
  }

  now(): number {
    return Date.now();
  }

  /** After the commit, wakes everybody in any process who listens for this name (`client.listen`). */
  ring(name: string): void {
    this.rung.add(name);
  }
}
