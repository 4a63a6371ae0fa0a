/** Pages of a list that may change between two of them: a cursor says after which name to go on. */
import { Buffer } from "node:buffer";
import { wrongParams } from "../exchange.ts";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | undefined;
}

/** The items must be in the order of their names. */
export function pageOf<Item>(
  sorted: readonly Item[],
  size: number,
  cursor: string | undefined,
  nameOf: (item: Item) => string,
): Page<Item> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const start = after === undefined ? 0 : sorted.findIndex((item) => nameOf(item) > after);
  if (start === -1) return { items: [], nextCursor: undefined };
  const items = sorted.slice(start, start + size);
  const last = items.at(-1);
  const isEnd = last === undefined || start + size >= sorted.length;
  return { items, nextCursor: isEnd ? undefined : writeCursor(nameOf(last)) };
}

const mark = "n:";

function writeCursor(name: string): string {
  return Buffer.from(mark + name).toString("base64url");
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (cursor.length > 1_000 || !text.startsWith(mark)) throw wrongParams("The cursor is none of ours.");
  return text.slice(mark.length);
}
