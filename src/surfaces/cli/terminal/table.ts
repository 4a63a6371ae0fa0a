/** Rows as a table that lines up, cut where the terminal ends; whole where nobody looks at a terminal. */
import { visible } from "../../../core/text/visible.ts";
import { coloursFor } from "./colours.ts";
import type { CliIo } from "./io.ts";
import { cutToWidth, padToWidth, terminalWidth, textWidth } from "./text-width.ts";

/** Every cell is one line, with nothing hidden in it. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  io: Pick<CliIo, "isTerminal" | "env">,
): string {
  const cells = rows.map((row) => row.map((cell) => visible(cell)));
  const widths = headings.map((heading, column) =>
    cells.reduce((widest, row) => Math.max(widest, textWidth(row[column] ?? "")), textWidth(heading)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === headings.length - 1 ? cell : padToWidth(cell, widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  const width = terminalWidth(io);
  const cut = (text: string) => (width === undefined ? text : cutToWidth(text, width));
  const colours = coloursFor(io);
  return [colours.dim(cut(line(headings))), ...cells.map((row) => cut(line(row)))]
    .map((text) => `${text}\n`)
    .join("");
}
