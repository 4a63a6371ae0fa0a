/** What waits at an upstream server, for a person: the new definition, or what differs. */
import { structuredPatch } from "diff";
import { isJsonObject, type JsonObject } from "../../../../core/input/json.ts";
import { hasInvisible, visible } from "../../../../core/text/visible.ts";
import { readableDefinition } from "../../../../sources/upstream/pins/definition.ts";
import type { ReviewItem } from "../../../../sources/upstream/pins/review.ts";
import type { Colours } from "../../terminal/colours.ts";

/** A difference may be megabytes; --full shows all of it. */
const mostLines = 200;
const longestLine = 2_000;

export function describeItem(item: ReviewItem, colours: Colours, full = false): string {
  const { tool, why, digest } = item;
  const sign = why === "new" ? colours.green("+ new    ") : colours.yellow("~ changed");
  const head = `${sign} ${colours.bold(visible(tool))} ${colours.dim(digest.slice(0, 12))}\n`;
  const hides = hidesSomething(item);
  const warning = `  ${colours.red("! It holds characters that nobody can see; they are shown as \\u{...}.")}\n`;
  // A definition that hides something is shown in full.
  const isShort = !full && !hides && isCompact(item);
  return `${head}${hides ? warning : ""}${isShort ? compact(item, colours) : body(item, colours, full)}`;
}

/** Whether the definition is shortened unless --full is given. */
export function isCompact({ before }: ReviewItem): boolean {
  return before === undefined;
}

function compact({ after }: ReviewItem, colours: Colours): string {
  const [first = "", ...others] = describeCompact(after);
  return `    ${first}\n${others.map((line) => `    ${colours.dim(line)}\n`).join("")}`;
}

function hidesSomething(item: ReviewItem): boolean {
  return hasInvisible(textOf(item.after), { keepNewlines: true }) || hidesEscapes(item);
}

/** In JSON a control character is written as an escape, which reads like any other text. */
function hidesEscapes({ after }: ReviewItem): boolean {
  const texts = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
      : [];
  };
  return texts(after).some((text) => hasInvisible(text, { keepNewlines: true }));
}

function body({ before, after }: ReviewItem, colours: Colours, full: boolean): string {
  const now = textOf(after);
  if (before === undefined)
    return shown(
      now.split("\n").map((line) => ["+", line]),
      colours,
      full,
    );
  const patch = structuredPatch("", "", `${textOf(before)}\n`, `${now}\n`, "", "", { context: 1 });
  const lines = patch.hunks.flatMap(({ lines: of }, index) => [
    ...(index === 0 ? [] : [[" ", "..."]]),
    ...of.map((line) => [line.slice(0, 1), line.slice(1)]),
  ]);
  return shown(lines as [string, string][], colours, full);
}

function shown(lines: readonly (readonly string[])[], colours: Colours, full: boolean): string {
  const paint = { "+": colours.green, "-": colours.red } as Record<string, (text: string) => string>;
  const told = lines.slice(0, full ? lines.length : mostLines).map(([sign = " ", line = ""]) => {
    const text = `${sign} ${visible(line, full ? {} : { maxLength: longestLine })}`;
    return `    ${(paint[sign] ?? String)(text)}\n`;
  });
  const more = lines.length - told.length;
  return `${told.join("")}${more > 0 ? `    ... ${more} more lines; --full shows all\n` : ""}`;
}

function textOf(value: ReviewItem["after"]): string {
  return typeof value === "string" ? value : readableDefinition(value);
}

const longestBeginning = 160;
const longestName = 60;
const mostParameters = 30;

/** A new tool in a few lines. A model reads all of it, so it is said how much is not shown. */
function describeCompact(after: ReviewItem["after"]): string[] {
  if (typeof after === "string") return [beginningOf(after)];
  const { description, inputSchema } = after;
  const text = typeof description === "string" ? description : "";
  return [
    text.trim() === "" ? "(no description)" : beginningOf(text),
    `parameters: ${parametersOf(inputSchema)}`,
    `${countOf(readableDefinition(after).length)} of definition in all`,
  ];
}

function beginningOf(text: string): string {
  const whole = text.trim();
  const line = (whole.split("\n", 1)[0] ?? "").trimEnd();
  const begins = line.length > longestBeginning ? `${line.slice(0, longestBeginning).trimEnd()}…` : line;
  const more = whole.length - Math.min(line.length, longestBeginning);
  return `${visible(begins)}${more > 0 ? ` (and ${countOf(more)} more)` : ""}`;
}

/** As in a manual: what may be left out stands in brackets. */
function parametersOf(schema: JsonObject[string] | undefined): string {
  const { properties = {}, required = [] } = schema !== undefined && isJsonObject(schema) ? schema : {};
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return "none that it names";
  const needed = new Set(Array.isArray(required) ? required : []);
  const shown = names.slice(0, mostParameters).map((name) => {
    const text = visible(name, { maxLength: longestName });
    return needed.has(name) ? text : `[${text}]`;
  });
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function countOf(characters: number): string {
  return `${characters.toLocaleString("en")} ${characters === 1 ? "character" : "characters"}`;
}
