/** What operations work with: the database, its compiled statements, and the bells to ring when the transaction is committed. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { NewRow, Row, StoreContext } from "./area.ts";
import { StorePlace } from "./store-place.ts";

export class Context implements StoreContext {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly stateFolder: string;
  readonly processId: string;
  readonly memo = new Map<string, unknown>();
  readonly cached = new Map<string, unknown>();
  readonly kept = new Map<string, unknown>();
  readonly rung = new Set<string>();
  /** What areas still have to write before a transaction may be committed. */
  beforeCommit: () => void = () => {};
  onCommit: () => void = () => {};
  /** How long a group waits for the lock of another process. Undefined: as long as usual. */
  patienceMs: number | undefined;
  readonly #statements = new Map<string, StatementSync>();
  readonly #place: StorePlace;

  constructor(
    database: DatabaseSync,
    place: { readonly file: string; readonly stateFolder: string; readonly processId: string },
  ) {
    this.database = database;
    this.file = place.file;
    this.stateFolder = place.stateFolder;
    this.processId = place.processId;
    this.#place = new StorePlace(place.file);
  }

  checkPlace(): void {
    this.#place.check();
  }

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

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes);
  }

  insert(table: string, row: NewRow, numbered?: "number"): void {
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

  ring(name: string): void {
    this.rung.add(name);
  }
}
