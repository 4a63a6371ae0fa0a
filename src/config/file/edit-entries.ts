/** Adds named entries to a section of a configuration file, or removes them, and leaves the rest as it was written. */
import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { JsonObject } from "../../core/input/json.ts";
import { writeYaml } from "./write-yaml.ts";

/** Which entry of which section: `upstreams.github`. */
export type EntryPlace = readonly [section: string, name: string];

/** The new text of the file. `text` must be one that can be read. */
export function addEntry(text: string, place: EntryPlace, value: JsonObject): string {
  const [key, name] = place;
  const removed = hasEntry(text, place) ? removeEntry(text, place) : text;
  const document = parseDocument(removed);
  const written = writeYaml({ [name]: value });
  const section = sectionOf(document, key);
  if (section === undefined) {
    const rest = removed.trim() === "" ? "" : `${removed.trimEnd()}\n\n`;
    const put = `${rest}${key}:\n${indented(written, "  ")}`;
    // A key without a value stands there already.
    if (!document.has(key))
      return same(put, document, place, value) ? put : byDocument(document, place, value);
    return byDocument(document, place, value);
  }
  const last = section.items.at(-1);
  if (last === undefined || section.flow === true) return byDocument(document, place, value);
  const indent = " ".repeat(columnOf(removed, keyStart(last)));
  const end = endOfItem(removed, last);
  const put = `${removed.slice(0, end)}${indented(written, indent)}${removed.slice(end)}`;
  return same(put, document, place, value) ? put : byDocument(document, place, value);
}

export function removeEntry(text: string, [key, name]: EntryPlace): string {
  const document = parseDocument(text);
  const section = sectionOf(document, key);
  const item = section?.items.find((pair) => nameOf(pair) === name);
  if (section === undefined || item === undefined) return text;
  const alone = section.items.length === 1;
  const root = isMap(document.contents) ? document.contents.items : [];
  const whole = alone ? root.find((pair) => nameOf(pair) === key) : undefined;
  const start = lineStart(text, keyStart(whole ?? item));
  const cut = `${text.slice(0, start)}${text.slice(endOfItem(text, item))}`;
  if (alone) document.delete(key);
  else document.deleteIn([key, name]);
  return section.flow !== true && equal(cut, document) ? cut : document.toString({ lineWidth: 0 });
}

export function hasEntry(text: string, [key, name]: EntryPlace): boolean {
  return sectionOf(parseDocument(text), key)?.items.some((pair) => nameOf(pair) === name) ?? false;
}

function sectionOf(document: Document, key: string): YAMLMap<unknown, unknown> | undefined {
  const section = document.get(key);
  return isMap(section) ? section : undefined;
}

function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function keyStart({ key }: Pair): number {
  return (key as { range?: [number, number, number] }).range?.[0] ?? 0;
}

/** Behind the line on which its value ends. */
function endOfItem(text: string, { key, value }: Pair): number {
  const [, valueEnd] = (value as { range?: [number, number, number] } | null)?.range ?? [];
  const [, keyEnd = 0] = (key as { range?: [number, number, number] }).range ?? [];
  const end = text.slice(0, valueEnd ?? keyEnd).trimEnd().length;
  const line = text.indexOf("\n", end);
  return line < 0 ? text.length : line + 1;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

function indented(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

/** What was put in as text must read as what was meant, whatever the file looks like. */
function same(put: string, document: Document, place: EntryPlace, value: JsonObject): boolean {
  const wanted = document.clone() as Document;
  wanted.setIn(place, value);
  return equal(put, wanted);
}

function equal(text: string, document: Document): boolean {
  const read = parseDocument(text);
  return (
    read.errors.length === 0 && JSON.stringify(read.toJS() ?? {}) === JSON.stringify(document.toJS() ?? {})
  );
}

function byDocument(document: Document, place: EntryPlace, value: JsonObject): string {
  const [key] = place;
  if (sectionOf(document, key) === undefined) document.set(key, document.createNode({}));
  document.setIn(place, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}
