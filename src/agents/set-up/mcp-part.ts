/**
 * toolgate among the MCP servers of an agent, in the place of those that it reaches for the agent. Taken out,
 * they come back: to the byte where nobody has changed them since, else as they were.
 */
import { realpathSync } from "node:fs";
import { isRecord, type JsonObject } from "../../core/input/json.ts";
import type { SetupMemory } from "../agent-setup.ts";
import { parseLooseJson } from "../loose-json.ts";
import type { McpPlace } from "../mcp-servers/mcp-places.ts";
import type { EditedText, FilePart } from "./file-part.ts";
import { patchText } from "./patch-text.ts";
import { readTables, setTables } from "./toml-tables.ts";
import { textWithoutPut } from "./written-file.ts";

/** How our entry is called. */
export const ownServer = "toolgate";

export interface McpMove {
  readonly place: McpPlace;
  /** Our entry; undefined: there is one already that the person wrote. */
  readonly entry: JsonObject | undefined;
  /** Servers that go, by their names. */
  readonly names: readonly string[];
  readonly memory: SetupMemory | undefined;
}

export function mcpPart({ place, entry, names, memory }: McpMove): FilePart {
  return {
    file: place.file,
    put: (text) => {
      const servers = serversIn(text ?? "", place);
      if (typeof servers === "string") return { ok: false, message: servers };
      const kept = Object.fromEntries(Object.entries(servers).filter(([name]) => !names.includes(name)));
      return rewritten(text, place, entry === undefined ? kept : { ...kept, [ownServer]: entry });
    },
    take(text) {
      const moved = movedServers(place.file, memory);
      const servers = serversIn(text, place);
      // What was never put there by us is not ours to take.
      if (moved === undefined || typeof servers === "string") return { ok: true, text, isEmpty: false };
      const { [ownServer]: _, ...others } = servers;
      const wanted = { ...moved, ...others };
      const change = memory?.recall(realName(place.file));
      const exact = change === undefined ? undefined : textWithoutPut(text, change);
      if (exact !== undefined && sameServers(serversIn(exact, place), wanted))
        return { ok: true, text: exact, isEmpty: isEmptyText(exact) };
      return rewritten(text, place, wanted);
    },
    meaning: (text) => (place.format === "toml" ? readTables(text) : looseValue(text)),
    find: () => [],
  };
}

type Servers = Readonly<Record<string, unknown>>;

/** Text: why they cannot be read. */
export function serversIn(text: string, { format, at }: McpPlace): Servers | string {
  const value = text.trim() === "" ? {} : format === "toml" ? readTables(text) : looseValue(text);
  if (value === undefined) return `it is not valid ${format.toUpperCase()}. Repair it first`;
  const found = at.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
  if (found === undefined || found === null) return {};
  return isRecord(found) ? found : `"${at.join(".")}" must be a mapping of names to servers`;
}

/** The key of the file that says which servers or tools there are. Undefined: none does. */
export function limitIn(text: string, { format, limits = [] }: McpPlace): string | undefined {
  const value = text.trim() === "" ? {} : format === "toml" ? readTables(text) : looseValue(text);
  const found = limits.find((keys) => {
    const limit = keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
    return limit !== undefined && limit !== null && JSON.stringify(limit).length > 2;
  });
  return found?.join(".");
}

function rewritten(text: string | undefined, place: McpPlace, servers: Servers): EditedText {
  return place.format === "toml" ? inToml(text, place, servers) : inJson(text, place, servers);
}

function inToml(text: string | undefined, place: McpPlace, servers: Servers): EditedText {
  const before = serversIn(text ?? "", place);
  if (typeof before === "string") return { ok: false, message: before };
  const isKept = (name: string) => Object.hasOwn(servers, name) && same(before[name], servers[name]);
  const tables = Object.entries(servers)
    .filter(([name]) => !isKept(name))
    .map(([name, value]) => ({ path: [...place.at, name], isElement: false, value: value as Servers }));
  const [head = ""] = place.at;
  // A table of ours is a whole server, with the tables below it.
  return setTables(text, tables, ({ path }) => {
    const [top, name = ""] = path;
    return top === head && path.length > place.at.length && !isKept(name);
  });
}

function inJson(text: string | undefined, { at }: McpPlace, servers: Servers): EditedText {
  const value = text === undefined || text.trim() === "" ? {} : looseValue(text);
  if (!isRecord(value)) return { ok: false, message: "it must hold a JSON object" };
  const next = placed(value, at, servers);
  if (same(value, next)) return { ok: true, text, isEmpty: Object.keys(next).length === 0 };
  if (text === undefined || text.trim() === "")
    return { ok: true, text: `${JSON.stringify(next, null, 2)}\n`, isEmpty: false };
  const patched = patchText(text, value, next);
  return patched === undefined
    ? { ok: false, message: "its comments would be lost; make the change by hand" }
    : { ok: true, text: patched, isEmpty: Object.keys(next).length === 0 };
}

function placed(value: Servers, [key, ...rest]: readonly string[], servers: Servers): Servers {
  if (key === undefined) return servers;
  const inner = value[key];
  return { ...value, [key]: placed(isRecord(inner) ? inner : {}, rest, servers) };
}

/** What was taken from the agent is kept as it was written: only so can it come back. */
export function rememberServers(place: McpPlace, moved: Servers, memory: SetupMemory): void {
  const earlier = movedServers(place.file, memory);
  const all = { ...earlier, ...moved };
  if (same(earlier, all)) return;
  const note = { after: "", start: 0, end: 0, wasMissing: false };
  memory.remember(noteName(place.file), { ...note, replaced: JSON.stringify(all) });
}

export function forgetServers({ file }: McpPlace, memory: SetupMemory): void {
  memory.remember(noteName(file), undefined);
}

/** Undefined: nothing of ours is among the servers of this file. */
export function movedServers(file: string, memory: SetupMemory | undefined): Servers | undefined {
  const kept = memory?.recall(noteName(file));
  const value: unknown = kept === undefined ? undefined : looseValue(kept.replaced);
  return isRecord(value) ? value : undefined;
}

function noteName(file: string): string {
  return `${realName(file)}#mcp`;
}

function realName(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function looseValue(text: string): unknown {
  try {
    return parseLooseJson(text);
  } catch {
    return undefined;
  }
}

function sameServers(found: Servers | string, wanted: Servers): boolean {
  const sorted = (servers: Servers) => Object.entries(servers).sort(([a], [b]) => (a < b ? -1 : 1));
  return typeof found !== "string" && same(sorted(found), sorted(wanted));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isEmptyText(text: string): boolean {
  return text.trim() === "";
}
