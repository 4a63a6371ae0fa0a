/** Adds upstream servers to a configuration file, or removes them, and leaves the rest as it was written. */
import { type Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from "yaml";
import type { JsonObject } from "../../core/input/json.ts";
import { writeYaml } from "../file/write-yaml.ts";

/** The new text of the file. `text` must be one that can be read. */
export function addUpstream(text: string, name: string, upstream: JsonObject): string {
  const removed = hasUpstream(text, name) ? removeUpstream(text, name) : text;
  const document = parseDocument(removed);
  const written = writeYaml({ [name]: upstream });
  const section = sectionOf(document);
  if (section === undefined) {
    const rest = removed.trim() === "" ? "" : `${removed.trimEnd()}\n\n`;
    const put = `${rest}upstreams:\n${indented(written, "  ")}`;
    // A key without a value stands there already.
    if (!document.has("upstreams"))
      return same(put, document, name, upstream) ? put : byDocument(document, name, upstream);
    return byDocument(document, name, upstream);
  }
  const last = section.items.at(-1);
  if (last === undefined || section.flow === true) return byDocument(document, name, upstream);
  const indent = " ".repeat(columnOf(removed, keyStart(last)));
  const end = endOfItem(removed, last);
  const put = `${removed.slice(0, end)}${indented(written, indent)}${removed.slice(end)}`;
  return same(put, document, name, upstream) ? put : byDocument(document, name, upstream);
}

export function removeUpstream(text: string, name: string): string {
  const document = parseDocument(text);
  const section = sectionOf(document);
  const item = section?.items.find((pair) => nameOf(pair) === name);
  if (section === undefined || item === undefined) return text;
  const alone = section.items.length === 1;
  const root = isMap(document.contents) ? document.contents.items : [];
  const whole = alone ? root.find((pair) => nameOf(pair) === "upstreams") : undefined;
  const start = lineStart(text, keyStart(whole ?? item));
  const cut = `${text.slice(0, start)}${text.slice(endOfItem(text, item))}`;
  if (alone) document.delete("upstreams");
  else document.deleteIn(["upstreams", name]);
  return section.flow !== true && equal(cut, document) ? cut : document.toString({ lineWidth: 0 });
}

export function hasUpstream(text: string, name: string): boolean {
  return sectionOf(parseDocument(text))?.items.some((pair) => nameOf(pair) === name) ?? false;
}

function sectionOf(document: Document): YAMLMap<unknown, unknown> | undefined {
  const section = document.get("upstreams");
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
function same(put: string, document: Document, name: string, upstream: JsonObject): boolean {
  const wanted = document.clone() as Document;
  wanted.setIn(["upstreams", name], upstream);
  return equal(put, wanted);
}

function equal(text: string, document: Document): boolean {
  const read = parseDocument(text);
  return (
    read.errors.length === 0 && JSON.stringify(read.toJS() ?? {}) === JSON.stringify(document.toJS() ?? {})
  );
}

function byDocument(document: Document, name: string, upstream: JsonObject): string {
  if (sectionOf(document) === undefined) document.set("upstreams", document.createNode({}));
  document.setIn(["upstreams", name], document.createNode(upstream));
  return document.toString({ lineWidth: 0 });
}
