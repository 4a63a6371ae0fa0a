/** Prints which combinations the lines of the grammar covered. */

import { COMBINATIONS } from "./shell-grammar.ts";

export function coverageTable(covered: ReadonlyMap<string, number>): string {
  const report = COMBINATIONS.map(({ title, rows, columns }) => {
    const counts = rows.flatMap((row) => columns.map((column) => covered.get(`${row}\t${column}`) ?? 0));
    const lines = counts.reduce((sum, count) => sum + count, 0);
    const missing = rows.flatMap((row) =>
      columns.filter((column) => !covered.has(`${row}\t${column}`)).map((column) => `${row} in ${column}`),
    );
    const table = rows.map((row) => {
      const each = columns.map((column) => covered.get(`${row}\t${column}`) ?? 0);
      const seen = each.filter((count) => count > 0).length;
      return `  ${row.padEnd(28)} ${String(seen).padStart(3)} of ${columns.length} places ${String(each.reduce((sum, count) => sum + count, 0)).padStart(8)} lines`;
    });
    return [
      `${title}: ${counts.length - missing.length} of ${counts.length} combinations, ${lines} lines`,
      ...table,
      ...(missing.length > 0 && missing.length < 20 ? [`  not covered: ${missing.join("; ")}`] : []),
      `  places: ${columns.join(" | ")}`,
    ].join("\n");
  });
  return report.join("\n\n");
}

export function missingCombinations(covered: ReadonlyMap<string, number>): number {
  return COMBINATIONS.reduce(
    (sum, { rows, columns }) =>
      sum +
      rows.reduce(
        (count, row) => count + columns.filter((column) => !covered.has(`${row}\t${column}`)).length,
        0,
      ),
    0,
  );
}
