/** Statements made of fixed pieces of SQL; values are only ever bound. Each text is compiled once. */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ToolgateError } from "../../../../core/call/errors.ts";
import type { Page, PageRequest, Scope } from "../store.ts";
import type { Row } from "./rows.ts";

export type Values = Readonly<Record<string, SQLInputValue>>;

/** A condition and its values; undefined when it was not asked for. */
export type Where = readonly [sql: string, values: Values] | undefined;

type Table = "tenants" | "users" | "tickets";

export interface PageQuery<Item> {
  readonly table: Table;
  readonly scope: Scope;
  readonly wheres: readonly Where[];
  readonly toItem: (row: Row) => Item;
}

/** Only rows with this value, if one was asked for. The name of the column is the parameter's, too. */
export function equals(column: string, value: SQLInputValue | undefined): Where {
  return value === undefined ? undefined : [`${column} = :${column}`, { [column]: value }];
}

/** Only rows with one of these values. */
export function oneOf(column: string, values: readonly string[] | undefined): Where {
  if (values === undefined) return undefined;
  return [`${column} IN (SELECT value FROM json_each(:${column}))`, { [column]: JSON.stringify(values) }];
}

export class Queries {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string, values: Values): Row | undefined {
    return this.#ask(() => this.#prepare(sql).get(values));
  }

  all(sql: string, values: Values): Row[] {
    return this.#ask(() => this.#prepare(sql).all(values));
  }

  /** How many rows it changed. */
  run(sql: string, values: Values): number {
    return this.#ask(() => Number(this.#prepare(sql).run(values).changes));
  }

  /** The row with this id, if it may be seen. */
  find(table: Table, scope: Scope, id: string): Row | undefined {
    const { sql, values } = joined([["id = :id", { id }], scopeOf(table, scope)]);
    return this.get(`SELECT * FROM ${table} ${sql}`, values);
  }

  page<Item extends { readonly createdAt: number; readonly id: string }>(
    { table, scope, wheres, toItem }: PageQuery<Item>,
    { limit, after }: PageRequest,
  ): Page<Item> {
    const behind: Where = after && [
      "(created_at, id) < (:afterAt, :afterId)",
      { afterAt: after[0], afterId: after[1] },
    ];
    const { sql, values } = joined([scopeOf(table, scope), behind, ...wheres]);
    const text = `SELECT * FROM ${table} ${sql} ORDER BY created_at DESC, id DESC LIMIT :rows`;
    const rows = this.all(text, { ...values, rows: limit + 1 });
    const items = rows.slice(0, limit).map(toItem);
    const last = items.at(-1);
    return { items, ...(rows.length > limit && last !== undefined && { next: [last.createdAt, last.id] }) };
  }

  /** Nothing else writes meanwhile, and a throw undoes all of it. */
  inTransaction<Result>(work: () => Result): Result {
    this.#ask(() => this.#database.exec("BEGIN IMMEDIATE"));
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** The two ends that are nobody's mistake get a sentence of their own. */
  #ask<Result>(question: () => Result): Result {
    if (!this.#database.isOpen) throw new ToolgateError("The support database is closed.");
    try {
      return question();
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new ToolgateError("The support database is busy: another process writes to it. Try again.");
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** SQLITE_BUSY, also in its extended forms. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === 5;
}

function scopeOf(table: Table, scope: Scope): Where {
  if (scope === "all") return undefined;
  const column = table === "tenants" ? "id" : "tenant_id";
  return [`${column} = :scopeTenant`, { scopeTenant: scope.tenantId }];
}

function joined(wheres: readonly Where[]): { readonly sql: string; readonly values: Values } {
  const given = wheres.filter((where) => where !== undefined);
  if (given.length === 0) return { sql: "", values: {} };
  return {
    sql: `WHERE ${given.map(([sql]) => sql).join(" AND ")}`,
    values: Object.assign({}, ...given.map(([, values]) => values)) as Values,
  };
}
