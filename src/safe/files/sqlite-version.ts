/** Whether the SQLite that comes with Node is new enough for files that several processes write to. */

/**
 * Older ones can damage a database in WAL mode that several processes write to. `what` needs it: "The store".
 */
export function explainOldSqlite(what: string, version: string): string | undefined {
  const needed = [3, 51, 3];
  const parts = version.split(".").map(Number);
  const differs = needed.findIndex((part, index) => parts[index] !== part);
  if (differs === -1 || (parts[differs] ?? 0) > (needed[differs] ?? 0)) return undefined;
  return `${what} needs SQLite ${needed.join(".")} or newer, but Node ${process.version} comes with ${version}: use a newer Node.`;
}
