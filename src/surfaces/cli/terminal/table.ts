/** Rows as a table that lines up, its last column cut where the terminal ends. */
import { visible } from "../../../core/text/visible.ts";
import { coloursFor } from "./colours.ts";
import type { CliIo } from "./io.ts";

/** Every cell is one line, with nothing hidden in it. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  io: Pick<CliIo, "isTerminal" | "env">,
): string {
  const cells = rows.map((row) => row.map((cell) => visible(cell)));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => (row[column] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === headings.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const width = io.isTerminal ? terminalWidth(io) : undefined;
  const cut = (text: string) =>
    width !== undefined && text.length > width ? `${text.slice(0, Math.max(1, width - 1))}…` : text;
  const colours = coloursFor(io);
  return [colours.dim(cut(line(headings))), ...cells.map((row) => cut(line(row)))]
    .map((text) => `${text}\n`)
    .join("");
}

export function terminalWidth({ env }: Pick<CliIo, "env">): number {
  const told = Number(env.COLUMNS);
  return Number.isInteger(told) && told > 20 ? told : (process.stdout.columns ?? 120);
}
