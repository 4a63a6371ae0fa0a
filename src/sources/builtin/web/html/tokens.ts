/** Reads HTML as tags and text in one pass. However broken it is, a character is read a few times at most. */
import { decodeEntities } from "./entities.ts";

export type Attributes = ReadonlyMap<string, string>;

export interface TokenSink {
  open(name: string, attributes: Attributes, selfClosing: boolean): void;
  close(name: string): void;
  /** With entities decoded, blanks as they are. */
  text(text: string): void;
  /** Asked between tokens: true ends the reading. */
  isFull(): boolean;
}

/** Elements whose content is text, whatever it looks like. */
const rawText = new Set(["script", "style", "xmp", "iframe", "noembed", "noframes", "textarea", "title"]);

export function readTokens(html: string, sink: TokenSink): void {
  let at = 0;
  while (at < html.length && !sink.isFull()) {
    const tag = html.indexOf("<", at);
    if (tag !== at) sink.text(decodeEntities(html.slice(at, tag === -1 ? html.length : tag)));
    if (tag === -1) return;
    at = readMarkup(html, tag, sink);
  }
}

/** `at` is a `<`. Gives the place after what it begins. */
function readMarkup(html: string, at: number, sink: TokenSink): number {
  if (html.startsWith("<!--", at)) return after(html, "-->", at + 2);
  const next = html.charCodeAt(at + 1);
  if (next === bang || next === question) return after(html, ">", at + 2);
  const isClose = next === slash;
  const nameAt = isClose ? at + 2 : at + 1;
  if (!isLetter(html.charCodeAt(nameAt))) {
    if (isClose) return after(html, ">", at + 2);
    sink.text("<");
    return at + 1;
  }
  const nameEnd = endOfName(html, nameAt);
  const name = nameEnd - nameAt > maxName ? "unknown" : html.slice(nameAt, nameEnd).toLowerCase();
  const tag = readAttributes(html, nameEnd);
  if (tag === undefined) return html.length;
  if (isClose) sink.close(name);
  else {
    sink.open(name, tag.attributes, tag.selfClosing);
    if (rawText.has(name)) return readRawText(html, tag.end, name, sink);
  }
  return tag.end;
}

function readRawText(html: string, at: number, name: string, sink: TokenSink): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  end.lastIndex = at;
  const found = end.exec(html)?.index ?? html.length;
  if (name === "title" || name === "textarea") sink.text(decodeEntities(html.slice(at, found)));
  sink.close(name);
  return after(html, ">", found);
}

interface TagRest {
  readonly attributes: Attributes;
  readonly selfClosing: boolean;
  readonly end: number;
}

const none: Attributes = new Map();
const maxName = 40;
const maxAttributes = 60;
const maxValue = 4_096;

/** From behind the name to behind the `>`. Undefined: the tag is never closed, and browsers drop it too. */
function readAttributes(html: string, from: number): TagRest | undefined {
  let attributes: Map<string, string> | undefined;
  for (let at = from; at < html.length; ) {
    const code = html.charCodeAt(at);
    if (code === greater) {
      const selfClosing = html.charCodeAt(at - 1) === slash;
      return { attributes: attributes ?? none, selfClosing, end: at + 1 };
    }
    if (isBlank(code) || code === slash) {
      at += 1;
      continue;
    }
    const nameEnd = endOfName(html, at + 1, equals);
    const value = readValue(html, nameEnd);
    if (value === undefined) return undefined;
    attributes ??= new Map();
    const name = html.slice(at, Math.min(nameEnd, at + maxName)).toLowerCase();
    if (attributes.size < maxAttributes && !attributes.has(name)) attributes.set(name, value.text);
    at = value.end;
  }
  return undefined;
}

function readValue(html: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let at = skipBlanks(html, from);
  if (html.charCodeAt(at) !== equals) return { text: "", end: from };
  at = skipBlanks(html, at + 1);
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    if (end === -1) return undefined;
    return { text: valueText(html, at + 1, end), end: end + 1 };
  }
  let end = at;
  while (end < html.length && !isBlank(html.charCodeAt(end)) && html.charCodeAt(end) !== greater) end += 1;
  return { text: valueText(html, at, end), end };
}

function valueText(html: string, from: number, to: number): string {
  return decodeEntities(html.slice(from, Math.min(to, from + maxValue)), true);
}

const bang = 33;
const slash = 47;
const equals = 61;
const greater = 62;
const question = 63;

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

function skipBlanks(html: string, from: number): number {
  let at = from;
  while (at < html.length && isBlank(html.charCodeAt(at))) at += 1;
  return at;
}

/** The first blank, slash or end of the tag, or `other`. */
function endOfName(html: string, from: number, other = greater): number {
  let at = from;
  for (; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (isBlank(code) || code === slash || code === greater || code === other) break;
  }
  return at;
}

function after(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found === -1 ? html.length : found + end.length;
}
