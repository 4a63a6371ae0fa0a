/** A new tool in a few lines: how its description begins, its parameters, and how much of it is not shown. */
import { isJsonObject, type JsonObject } from "../../../../core/input/json.ts";
import { visible } from "../../../../core/text/visible.ts";
import { readableDefinition } from "../../../../sources/upstream/pins/definition.ts";
import type { ReviewItem } from "../../../../sources/upstream/pins/review.ts";

const longestBeginning = 160;
const longestName = 60;
const mostParameters = 30;

/** What a server says elsewhere than in the first line counts as much for a model; so it is said that there is more. */
export function describeCompact(after: ReviewItem["after"]): string[] {
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
