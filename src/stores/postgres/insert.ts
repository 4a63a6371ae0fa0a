/** An INSERT of one row by column. What has no value is NULL. */
import type { Statements } from "./database.ts";

export async function insert(
  tx: Statements,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`).join(", ");
  const values = Object.values(row).map((value) => value ?? null);
  await tx.run(`INSERT INTO toolgate.${table} (${names.join(", ")}) VALUES (${places})`, values);
}

/** Statements of the ledger mark their values with `?`, as SQLite does. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll("?", () => `$${++last}`);
}
