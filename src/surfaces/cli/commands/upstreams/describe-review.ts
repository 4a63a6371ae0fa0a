/** What waits at an upstream server as a person reads it: the new definition, or what differs, with nothing hidden in it. */
import { structuredPatch } from "diff";
import { hasInvisible, visible } from "../../../../core/visible.ts";
import { readableDefinition } from "../../../../sources/upstream/definition.ts";
import type { ReviewItem } from "../../../../sources/upstream/review.ts";
import type { Colours } from "../../colours.ts";

/** A definition may be megabytes; whoever wants all of it asks for JSON. */
const mostLines = 200;
const longestLine = 2_000;

export function describeItem(item: ReviewItem, colours: Colours): string {
  const { tool, why, digest } = item;
  const sign = why === "new" ? colours.green("+ new    ") : colours.yellow("~ changed");
  const head = `${sign} ${colours.bold(visible(tool))} ${colours.dim(digest.slice(0, 12))}\n`;
  return `${head}${warning(item, colours)}${body(item, colours)}`;
}

function warning(item: ReviewItem, colours: Colours): string {
  if (!hasInvisible(textOf(item.after), { keepNewlines: true }) && !hidesEscapes(item)) return "";
  return `  ${colours.red("! It holds characters that nobody can see; they are shown as \\u{...}.")}\n`;
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

function body({ before, after }: ReviewItem, colours: Colours): string {
  const now = textOf(after);
  if (before === undefined)
    return shown(
      now.split("\n").map((line) => ["+", line]),
      colours,
    );
  const patch = structuredPatch("", "", `${textOf(before)}\n`, `${now}\n`, "", "", { context: 1 });
  const lines = patch.hunks.flatMap(({ lines: of }, index) => [
    ...(index === 0 ? [] : [[" ", "..."]]),
    ...of.map((line) => [line.slice(0, 1), line.slice(1)]),
  ]);
  return shown(lines as [string, string][], colours);
}

function shown(lines: readonly (readonly string[])[], colours: Colours): string {
  const paint = { "+": colours.green, "-": colours.red } as Record<string, (text: string) => string>;
  const told = lines.slice(0, mostLines).map(([sign = " ", line = ""]) => {
    const text = `${sign} ${visible(line, { maxLength: longestLine })}`;
    return `    ${(paint[sign] ?? String)(text)}\n`;
  });
  const more = lines.length - told.length;
  return `${told.join("")}${more > 0 ? `    ... ${more} more lines; --json shows all\n` : ""}`;
}

function textOf(value: ReviewItem["after"]): string {
  return typeof value === "string" ? value : readableDefinition(value);
}
