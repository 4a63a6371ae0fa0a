/** The cells of one table, and the table they make in Markdown. */

/** More columns than this are dropped: one row with very many would widen all others. */
const maxColumns = 50;
const maxSpan = 20;
const maxRows = 2_000;
/** A cell that holds more is no cell of a table but a part of the page. */
const maxCell = 2_000;

export interface OpenTable {
  /** Undefined: it only arranges the page, and its cells are parts of that. */
  cells: Table | undefined;
}

export class Table {
  readonly #rows: string[][] = [];
  #row: string[] | undefined;
  #headerRows = 0;
  #cellsAreHeaders = true;

  /** So long that it is written in pieces. */
  get isFull(): boolean {
    return this.#rows.length >= maxRows;
  }

  startRow(): void {
    this.endRow();
    this.#row = [];
    this.#cellsAreHeaders = true;
  }

  endRow(): void {
    const row = this.#row;
    this.#row = undefined;
    if (row === undefined || row.every((cell) => cell === "")) return;
    if (this.#cellsAreHeaders && this.#headerRows === this.#rows.length) this.#headerRows += 1;
    this.#rows.push(row);
  }

  addCell(text: string, isHeader: boolean, span: number): void {
    this.#row ??= [];
    this.#cellsAreHeaders &&= isHeader;
    const columns = Math.min(Math.max(1, Number.isSafeInteger(span) ? span : 1), maxSpan);
    for (let column = 0; column < columns && this.#row.length < maxColumns; column += 1)
      this.#row.push(column === 0 ? text : "");
  }

  /** One table, or, where it only arranges the page, its cells one after the other. */
  toBlocks(plain: boolean): string[] {
    this.endRow();
    const width = this.#rows.reduce((most, row) => Math.max(most, row.length), 0);
    const isData =
      width > 1 && this.#rows.length > 1 && !this.#rows.flat().some((cell) => cell.length > maxCell);
    if (!isData)
      return this.#rows
        .flat()
        .filter((cell) => cell !== "")
        .map((cell) => cell.replaceAll("<br>", "\n"));
    const line = (row: readonly string[]) =>
      `| ${Array.from({ length: width }, (_, column) => escaped(row[column] ?? "")).join(" | ")} |`;
    if (plain)
      return [
        this.#rows.map((row) => row.map((cell) => cell.replaceAll("<br>", " ")).join(" | ")).join("\n"),
      ];
    const rule = `|${" --- |".repeat(width)}`;
    const [first, ...rest] = this.#rows as [string[], ...string[][]];
    const head = this.#headerRows > 0 ? [line(first), rule] : [line([]), rule, line(first)];
    return [[...head, ...rest.map(line)].join("\n")];
  }
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
