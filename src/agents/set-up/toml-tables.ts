/** Puts tables into a TOML text or takes them out; the text is never written anew, and what comes out is read again. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { isRecord } from "../../core/input/json.ts";
import type { EditedText } from "./file-part.ts";

export interface TomlTable {
  /** `["hooks"]` with `isElement`: `[[hooks]]`; `["hooks", "state", "x"]`: `[hooks.state.x]`. */
  readonly path: readonly string[];
  /** An element of a list of tables. */
  readonly isElement: boolean;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Those that are ours take the place of what was ours, or come at the end. None: ours go. */
export function setTables(
  text: string | undefined,
  tables: readonly TomlTable[],
  isOurs: (table: TomlTable) => boolean,
): EditedText {
  const old = text ?? "";
  const before = read(old);
  if (typeof before === "string")
    return { ok: false, message: `it is not valid TOML: ${before}. Repair it first` };
  const end = old.includes("\r\n") ? "\r\n" : "\n";
  const block = tables.map((table) => written(table, end)).join(end);
  const pieces = cut(old).map((piece) => ({
    ...piece,
    isOurs: piece.table !== undefined && isOurs(piece.table),
  }));
  const own = pieces.filter((piece) => piece.isOurs);
  if (own.length === 0 && tables.length === 0) return { ok: true, text, isEmpty: isNothing(before) };
  const isSame =
    isDeepStrictEqual(
      own.map(({ table }) => table),
      tables,
    ) && hasOnce(own.map(({ table }) => table));
  if (isSame) return { ok: true, text, isEmpty: isNothing(before) };
  const next = own.length === 0 ? appended(old, block, end) : replaced(pieces, block);
  const after = read(next);
  // Somebody's settings are at stake: what the steps above made is believed only after a look.
  if (typeof after === "string" || !saysTheSame(before, after, { tables, isOurs }))
    return {
      ok: false,
      message: "toolgate's tables cannot be changed in it without touching others; make the change by hand",
    };
  return { ok: true, text: next, isEmpty: next.trim() === "" };
}

/** The tables of a text that are ours. */
export function findTables(text: string, isOurs: (table: TomlTable) => boolean): TomlTable[] {
  return typeof read(text) === "string"
    ? []
    : cut(text).flatMap(({ table }) => (table !== undefined && isOurs(table) ? [table] : []));
}

/** Undefined: it cannot be read. */
export function readTables(text: string): unknown {
  const value = read(text);
  return typeof value === "string" ? undefined : value;
}

interface Piece {
  readonly text: string;
  /** Undefined: what stands above the first table. */
  readonly table: TomlTable | undefined;
}

const header = /^[ \t]*\[[^\n]*\][ \t]*(?:#[^\n]*)?\r?$/gm;

/** Each table with its lines. Blank lines and comments at its end belong to what follows. */
function cut(text: string): Piece[] {
  const starts = [...text.matchAll(header)].map(({ index }) => index);
  const pieces: Piece[] = [];
  let from = 0;
  let current: TomlTable | undefined;
  const add = (to: number, table: TomlTable | undefined) => {
    pieces.push({ text: text.slice(from, to), table });
    from = to;
  };
  for (const [place, start] of starts.entries()) {
    const table = tableIn(text.slice(start, starts[place + 1] ?? text.length));
    // A line inside of a text or of a list that only looks like the head of a table.
    if (table === undefined) continue;
    if (start > from) add(from + bodyLength(text.slice(from, start)), current);
    if (start > from) add(start, undefined);
    current = table;
  }
  add(from + bodyLength(text.slice(from)), current);
  if (from < text.length) add(text.length, undefined);
  return pieces.filter((piece) => piece.text !== "");
}

/** Without the blank lines and comments at the end. */
function bodyLength(text: string): number {
  const lines = text.split(/(?<=\n)/);
  while (/^[ \t]*(?:#.*)?\r?\n?$/.test(lines.at(-1) ?? "x")) lines.pop();
  return lines.join("").length;
}

function tableIn(text: string): TomlTable | undefined {
  const value = read(text);
  if (typeof value === "string") return undefined;
  const path: string[] = [];
  const [head = ""] = text.trimStart().split("\n", 1);
  const depth = depthOf(head);
  let here: unknown = value;
  while (path.length < depth) {
    if (!isTable(here)) return undefined;
    const [name, ...more] = Object.keys(here);
    if (name === undefined || more.length > 0) return undefined;
    path.push(name);
    here = here[name];
    if (Array.isArray(here)) here = here[0];
  }
  return isTable(here) ? { path, isElement: head.startsWith("[["), value: here } : undefined;
}

/** How many names the head of a table has. */
function depthOf(head: string): number {
  let depth = 0;
  for (let here: unknown = read(`${head.trim()}\n`); isTable(here); depth++) {
    const [next] = Object.values(here);
    if (next === undefined) break;
    here = Array.isArray(next) ? next[0] : next;
  }
  return depth;
}

function written({ path, isElement, value }: TomlTable, end: string): string {
  const whole = path.reduceRight<unknown>(
    (inner, name, index) => ({ [name]: isElement && index === path.length - 1 ? [inner] : inner }),
    value,
  );
  return `${stringify(whole).trim().replaceAll("\n", end)}${end}`;
}

function appended(text: string, block: string, end: string): string {
  if (text.trim() === "") return text + block;
  return `${text}${text.endsWith("\n") ? "" : end}${end}${block}`;
}

type OwnedPiece = Piece & { readonly isOurs: boolean };

function replaced(pieces: readonly OwnedPiece[], block: string): string {
  const first = pieces.findIndex(({ isOurs }) => isOurs);
  const textOf = (own: readonly OwnedPiece[]) => own.map(({ text }) => text).join("");
  const above = textOf(pieces.slice(0, first));
  const below = pieces.slice(first).filter(({ text, isOurs }, at, all) => {
    const isBetween = text.trim() === "" && all[at + 1]?.isOurs === true;
    return !isOurs && !isBetween;
  });
  // The blank line that came with it.
  return (block === "" ? above.replace(/(?<=\n)\r?\n$/, "") : above + block) + textOf(below);
}

function saysTheSame(
  before: unknown,
  after: unknown,
  {
    tables,
    isOurs,
  }: { readonly tables: readonly TomlTable[]; readonly isOurs: (table: TomlTable) => boolean },
): boolean {
  const [was, is] = [before, after].map((value) => split(value, [], isOurs));
  return (
    isDeepStrictEqual(was?.rest, is?.rest) &&
    is?.ours.length === tables.length &&
    tables.every((table) => is.ours.some((other) => isDeepStrictEqual(other, table)))
  );
}

/** Ours, and what is left without them; what holds nothing is nothing. */
function split(
  value: unknown,
  path: readonly string[],
  isOurs: (table: TomlTable) => boolean,
): { readonly ours: readonly TomlTable[]; readonly rest: unknown } {
  if (!isTable(value)) return { ours: [], rest: value };
  const ours: TomlTable[] = [];
  const rest: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, name];
    const isList = Array.isArray(member) && member.every(isTable) && member.length > 0;
    const kept = (isList ? (member as Record<string, unknown>[]) : [member]).flatMap((one) => {
      const table = isTable(one) ? { path: here, isElement: isList, value: one } : undefined;
      if (table !== undefined && isOurs(table)) {
        ours.push(table);
        return [];
      }
      const inner = isList ? { ours: [], rest: one } : split(one, here, isOurs);
      ours.push(...inner.ours);
      return inner.rest === undefined ? [] : [inner.rest];
    });
    if (kept.length > 0) rest[name] = isList ? kept : kept[0];
  }
  return { ours, rest: Object.keys(rest).length === 0 && path.length > 0 ? undefined : rest };
}

function hasOnce(tables: readonly unknown[]): boolean {
  return tables.every(
    (table, index) => !tables.slice(0, index).some((other) => isDeepStrictEqual(other, table)),
  );
}

function isNothing(value: unknown): boolean {
  return isTable(value) && Object.keys(value).length === 0;
}

/** A text: why it cannot be read. */
function read(text: string): Record<string, unknown> | string {
  try {
    return plain(parse(text.startsWith("\ufeff") ? text.slice(1) : text)) as Record<string, unknown>;
  } catch (error) {
    return (error as Error).message.split("\n", 1)[0] ?? "";
  }
}

/** The parser makes objects of its own kind, which equal no others. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Date);
}
