/** Our hooks in a TOML file, each a table of a list such as `[[hooks]]`. */
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../core/input/json.ts";
import type { FilePart } from "./file-part.ts";
import { type HookLines, linesOf, ourWords, placeholderLines } from "./hook-lines.ts";
import { findTables, readTables, setTables, type TomlTable } from "./toml-tables.ts";

export interface TomlHooks {
  /** The agent's name, as the line says it. */
  readonly agent: string;
  readonly file: string;
  /** The list that holds the hooks. Default: `["hooks"]`, written as `[[hooks]]`. */
  readonly at?: readonly string[];
  /** One table each. Some field of it holds the line. */
  readonly hooks: (lines: HookLines) => readonly JsonObject[];
}

export function hooksInToml({ agent, file, at = ["hooks"], hooks }: TomlHooks): FilePart {
  const lineIn = ({ value }: TomlTable) =>
    Object.values(value).find((field): field is string => ourWords(field, agent) !== undefined);
  const isOurs = (table: TomlTable) =>
    table.isElement && isDeepStrictEqual(table.path, at) && lineIn(table) !== undefined;
  const asks = hooks(placeholderLines(agent)).map((table) =>
    Object.values(table).includes(placeholderLines(agent).before.line) ? eventIn(table) : undefined,
  );
  return {
    file,
    put: (text, hook) =>
      setTables(
        text,
        hooks(linesOf(agent, hook)).map((value) => ({ path: at, isElement: true, value })),
        isOurs,
      ),
    take: (text) => setTables(text, [], isOurs),
    meaning: readTables,
    find: (text) =>
      findTables(text, isOurs).map((table) => ({
        line: lineIn(table) ?? "",
        isBefore: asks.includes(eventIn(table.value)),
      })),
  };
}

function eventIn(table: Readonly<Record<string, unknown>>): unknown {
  return table.event ?? "";
}
