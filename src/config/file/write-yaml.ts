/** Writes data as YAML that a person likes to read: single quotes around patterns, blocks for long texts. */
import type { Json, JsonObject } from "../../core/input/json.ts";
import { visible } from "../../core/text/visible.ts";
import { explainBadText } from "../../safe/files/documents/file-text.ts";

export function writeYaml(value: JsonObject): string {
  return `${members(value, "").join("\n")}\n`;
}

/** A note for people; a line break starts the next line of it. */
export function writeComment(text: string, indent = ""): string {
  const lines = visible(text, { keepNewlines: true }).replaceAll("\t", " ").split("\n");
  return lines.map((line) => `${indent}# ${line}`.trimEnd()).join("\n");
}

function members(value: JsonObject, indent: string): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const head = `${indent}${writeKey(key)}:`;
    // A pattern is easier to tell from the rest in quotes, and never broken into lines.
    if (key === "pattern" && typeof member === "string") return [`${head} ${quote(member)}`];
    return entry(head, member, indent);
  });
}

/** Lines that start with a head such as `key:` or `-`. What does not fit behind it stands below, indented. */
function entry(head: string, value: Json, indent: string): string[] {
  const inside = `${indent}  `;
  if (typeof value === "string") return [`${head} ${writeText(value, inside)}`];
  if (typeof value !== "object" || value === null) return [`${head} ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    if (list.length === 0) return [`${head} []`];
    if (list.every((one) => typeof one === "string" && plain.test(one) && !reserved.test(one)))
      return [`${head} [${list.join(", ")}]`];
    return [head, ...list.flatMap((one) => listItem(one, inside))];
  }
  const lines = members(value as JsonObject, inside);
  return lines.length === 0 ? [`${head} {}`] : [head, ...lines];
}

function listItem(value: Json, indent: string): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return entry(`${indent}-`, value, indent);
  const [first, ...rest] = members(value as JsonObject, `${indent}  `);
  return first === undefined ? [`${indent}- {}`] : [`${indent}- ${first.trimStart()}`, ...rest];
}

/** Words that no reader of YAML, old or new, takes for anything but text. */
const plain = /^[A-Za-z_][\w-]*$/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function writeKey(key: string): string {
  return plain.test(key) && !reserved.test(key) ? key : quote(key);
}

function writeText(text: string, indent: string): string {
  if (plain.test(text) && !reserved.test(text)) return text;
  return fitsBlock(text) ? block(text, indent) : quote(text);
}

function quote(text: string): string {
  const isPlain = !/[\n\t]/.test(text) && explainBadText(text, Number.POSITIVE_INFINITY) === undefined;
  return isPlain ? `'${text.replaceAll("'", "''")}'` : escaped(text);
}

/** JSON's form, with every character escaped that a file may not hold as it is. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffd-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const longLine = 80;

/** What a block would change, or could not hold, stays in quotes. */
function fitsBlock(text: string): boolean {
  if (!text.trimEnd().includes("\n") && text.length <= longLine) return false;
  return (
    !/^\s|[\t\r]|\n +(?:\n|$)|\n\n$| $/.test(text) &&
    explainBadText(text, Number.POSITIVE_INFINITY) === undefined
  );
}

/** `|` keeps one line break at the end, `|-` none. */
function block(text: string, indent: string): string {
  const ended = text.endsWith("\n");
  const lines = (ended ? text.slice(0, -1) : text)
    .split("\n")
    .map((line) => (line === "" ? "" : `${indent}${line}`));
  return [ended ? "|" : "|-", ...lines].join("\n");
}
