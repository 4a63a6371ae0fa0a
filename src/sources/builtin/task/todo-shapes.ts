/** The ways in which other agents write things to do: `content`, `step`, `completed`, check boxes. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";

export function fromOtherLists({ explanation: _why, ...input }: JsonObject): JsonObject | string {
  const { todos } = input;
  if (todos === undefined) return input;
  const list = typeof todos === "string" ? fromText(todos) : todos;
  if (typeof list === "string") return list;
  if (!Array.isArray(list)) return input;
  return { ...input, todos: list.filter((item) => !isCancelled(item)).map(toItem) };
}

/** What was given up is not to be done: it leaves the list. */
function isCancelled(item: Json): boolean {
  return isJsonObject(item) && item.status === "cancelled";
}

function toItem(item: Json): Json {
  if (typeof item === "string") return { text: item };
  if (!isJsonObject(item)) return item;
  const { activeForm: _form, priority: _priority, id: _id, content, description, step, ...rest } = item;
  const text = rest.text ?? content ?? description ?? step;
  const status = statusNames.get(String(rest.status)) ?? rest.status;
  return { ...rest, ...(text !== undefined && { text }), ...(status !== undefined && { status }) };
}

const statusNames: ReadonlyMap<string, string> = new Map([
  ["completed", "done"],
  ["blocked", "pending"],
]);

const checkBox = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?\[([ xX>~-])\]\s+(\S.*)$/;

/** A list of check boxes, or JSON that was written as text. */
function fromText(text: string): readonly Json[] | string {
  if (/^\s*\[\s*(?:[{"]|\]\s*$)/.test(text)) {
    const parsed = parseJson(text);
    if (parsed.ok && Array.isArray(parsed.value)) return parsed.value;
    return `expected a list of items, but the text in "todos" is no JSON list`;
  }
  const items: Json[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [, mark, item] = checkBox.exec(line) ?? [];
    if (mark === undefined || item === undefined)
      return `expected lines such as "[ ] do this", "[>] doing this", "[x] did this", but one is ${JSON.stringify(line.slice(0, 100))}`;
    const status = mark === " " ? "pending" : /x/i.test(mark) ? "done" : "in_progress";
    items.push({ text: item.trim(), status });
  }
  return items;
}
