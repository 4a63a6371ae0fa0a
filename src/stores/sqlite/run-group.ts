/** Runs the writes that wait as one transaction; one that fails undoes only itself. */
import type { Operation } from "./area.ts";
import type { Context } from "./context.ts";
import { giveWay, patiently, released } from "./patiently.ts";

export interface Work {
  readonly id: number;
  readonly operation: Operation;
  readonly args: unknown;
}

export type WorkEnd =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: unknown };

/** After it returns, what ended well is committed. Never throws. */
export function runGroup(context: Context, group: readonly Work[]): WorkEnd[] {
  const ends = attempt(context, group, false);
  // The first try has no savepoints, which cost more than most operations.
  return ends ?? attempt(context, group, true) ?? [];
}

/** Everything that one operation reads is of one moment. */
export function runRead(context: Context, { id, operation, args }: Work): WorkEnd {
  forget(context);
  try {
    context.statement("BEGIN").run();
    return { id, ok: true, value: patiently(() => operation(context, args)) };
  } catch (error) {
    return { id, ok: false, error };
  } finally {
    undo(context);
  }
}

function attempt(context: Context, group: readonly Work[], apart: boolean): WorkEnd[] | undefined {
  forget(context);
  context.rung.clear();
  try {
    // What would be committed to a file that nobody finds any more is not acknowledged.
    context.checkPlace();
    giveWay();
    patiently(() => context.statement("BEGIN IMMEDIATE").run(), context.patienceMs);
    const ends: WorkEnd[] = [];
    for (const work of group) {
      if (apart) ends.push(runApart(context, work));
      else ends.push({ id: work.id, ok: true, value: work.operation(context, work.args) });
    }
    context.beforeCommit();
    context.statement("COMMIT").run();
    released();
    context.onCommit();
    return ends;
  } catch (error) {
    undo(context);
    context.rung.clear();
    if (!apart && group.length > 1) return undefined;
    return group.map(({ id }) => ({ id, ok: false, error }));
  }
}

function runApart(context: Context, { id, operation, args }: Work): WorkEnd {
  context.statement("SAVEPOINT one").run();
  const remembered = [...context.memo];
  try {
    const value = operation(context, args);
    // Now, not at the end: what it only remembered must fail with it.
    context.beforeCommit();
    context.statement("RELEASE one").run();
    return { id, ok: true, value };
  } catch (error) {
    // A full disk ends the whole transaction by itself; then nothing of the group was done.
    if (!context.database.isTransaction) throw error;
    context.statement("ROLLBACK TO one").run();
    context.statement("RELEASE one").run();
    // What the operation remembered was undone with it.
    forget(context);
    for (const [key, value] of remembered) context.memo.set(key, value);
    return { id, ok: false, error };
  }
}

function forget({ memo, cached }: Context): void {
  memo.clear();
  cached.clear();
}

function undo(context: Context): void {
  forget(context);
  try {
    if (context.database.isTransaction) context.database.exec("ROLLBACK");
  } catch {
    // It was over already: SQLite rolls back by itself on some errors.
  }
}
