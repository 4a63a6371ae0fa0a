/** What the elements of tables do: cells are kept until the table ends, unless it only arranges the page. */
import type { Entered } from "./element-stack.ts";
import type { PageWriter } from "./page-writer.ts";
import { type OpenTable, Table } from "./table.ts";
import type { Attributes } from "./tokens.ts";

export function enterTable(writer: PageWriter, attributes: Attributes): Entered {
  breakUp(writer);
  const role = attributes.get("role")?.trim().toLowerCase();
  const table: OpenTable = { cells: role === "presentation" || role === "none" ? undefined : new Table() };
  writer.tables.push(table);
  const leave = () => {
    writer.endBlock();
    write(writer, table);
    writer.tables.pop();
  };
  return { leave };
}

export function enterCell(writer: PageWriter, attributes: Attributes, isHeader: boolean): Entered {
  const table = writer.tables.at(-1);
  if (table?.cells === undefined) return undefined;
  const span = Number(attributes.get("colspan") ?? 1);
  writer.inCell = true;
  const leave = () => {
    // A table inside has broken up this one.
    if (table.cells === undefined) return writer.endBlock();
    writer.inCell = false;
    table.cells.addCell(writer.inline.take().replace(/\n+/g, "<br>"), isHeader, span);
    if (!table.cells.isFull) return undefined;
    write(writer, table);
    table.cells = new Table();
    return undefined;
  };
  return { leave };
}

/** A table within a cell: the outer one arranges the page, and what it holds so far is written as such. */
function breakUp(writer: PageWriter): void {
  const outer = writer.tables.at(-1);
  if (outer?.cells === undefined) return;
  write(writer, outer);
  outer.cells = undefined;
  writer.inCell = false;
  writer.endBlock();
}

function write({ blocks, options }: PageWriter, { cells }: OpenTable): void {
  for (const block of cells?.toBlocks(options.plain) ?? []) blocks.add(block);
}
