/**
 * How a part of the store (processes, ledger, approvals, grants, limits) is written:
 *
 * - `<area>/<area>-area.ts` exports `defineArea("approvals", { writes: {...}, reads: {...} })`. Each
 *   operation is a function `(store, args) => result` that runs inside the worker thread, where waiting for a
 *   disk or for another process's lock hurts nobody.
 * - `areas.ts` lists the areas; `migrations.ts` lists the steps that make their tables.
 * - On the main thread `client.area<typeof approvalsArea>("approvals")` gives typed `write(name, args)` and
 *   `read(name, args)`. Import the area only as a type there.
 *
 * Writes that wait are taken together into one BEGIN IMMEDIATE transaction, in the order in which they came;
 * the promise of each settles after the commit. One that throws undoes only itself: the group is rolled back
 * and run again with a savepoint around each, so an operation must do nothing but read and write the database
 * (and `ring`). Expected ends are values; what is thrown becomes a rejected promise with a StoreError.
 * Arguments and results cross threads by structured clone.
 *
 * SQL: bind by `?`, no rowid, `INSERT ... ON CONFLICT`, `RETURNING`, CTEs: what PostgreSQL understands too.
 */
import type { Context } from "./context.ts";

/** What an operation works with. */
export type StoreContext = Omit<Context, "rung" | "beforeCommit" | "onCommit" | "patienceMs">;

// biome-ignore lint/suspicious/noExplicitAny: the arguments of each operation are its own.
export type Operation = (store: StoreContext, args: any) => unknown;

/** Of `onTick`: to be called once more, in a transaction of its own. */
export const again = Symbol("again");

export interface Area {
  readonly name: string;
  readonly writes: Readonly<Record<string, Operation>>;
  /** Names of writes that need a transaction of their own. */
  readonly alone?: readonly string[];
  /** Outside the group's transaction: sees what is committed. Keep each short: writes wait meanwhile. */
  readonly reads: Readonly<Record<string, Operation>>;
  /** In the transaction in which this process registers. */
  readonly onOpen?: (store: StoreContext, options: AreaOptions) => void;
  /**
   * Processes that ended without closing the store: deals with what they left. Runs when a process opens the
   * store and every minute after that, in one transaction with all other areas; then the dead are forgotten,
   * but for those it returns: what they left could not be dealt with, and is tried again. Called also when
   * nobody is dead.
   */
  readonly onDead?: (store: StoreContext, deadIds: readonly string[]) => readonly string[] | undefined;
  /** In each transaction, after its operations: writes what they only remembered in `memo` and `cached`. */
  readonly beforeCommit?: (store: StoreContext) => void;
  /** Right after the commit, while `memo` still holds what it held: for what the worker itself remembers. */
  readonly onCommit?: (store: StoreContext) => void;
  /** After each group, when everybody has their answer. May return an operation for a transaction. */
  readonly afterCommit?: (store: StoreContext) => Operation | undefined;
  /**
   * Every `everySeconds` as its own write, and at the close. May return the next transaction, or `again`: there
   * is more of the same, and others can write in between.
   */
  readonly everySeconds?: number;
  readonly onTick?: (store: StoreContext, closing: boolean) => unknown;
  /** The store could not be closed in order: makes sure that others find what is left. Says what it is. */
  readonly onLeft?: (store: StoreContext) => string | undefined;
}

/** What `openSqlite` was told, for areas that need it. */
export interface AreaOptions {
  readonly [name: string]: unknown;
}

export function defineArea<Defined extends Area>(area: Defined): Defined {
  return area;
}

/** How the main thread sees an operation. */
export type Calls<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (store: never, args: infer Args) => infer Out
    ? { readonly args: Args; readonly out: Out }
    : never;
};
