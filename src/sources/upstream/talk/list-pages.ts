/** Reads a list of a server to its end, page by page, with a bound on everything. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { UpstreamError } from "./connection.ts";

const maxPages = 1_000;
const maxItems = 20_000;

export async function listPages(
  name: string,
  field: "tools" | "resources" | "resourceTemplates" | "prompts",
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const result = await page(cursor === undefined ? {} : { cursor });
    const list = result[field];
    if (!Array.isArray(list)) throw bad(name, `its answer has no list of ${field}`);
    for (const item of list) if (isJsonObject(item)) items.push(item);
    if (items.length > maxItems) throw bad(name, `it lists more than ${maxItems} ${field}`);
    const { nextCursor } = result;
    if (typeof nextCursor !== "string") return items;
    // A server that turns in a circle would keep us for ever.
    if (seen.has(nextCursor)) throw bad(name, `it gives the same page of ${field} again and again`);
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw bad(name, `its list of ${field} has more than ${maxPages} pages`);
}

function bad(name: string, what: string): UpstreamError {
  return new UpstreamError("bad_answer", `The upstream server "${name}" cannot be read: ${what}.`);
}
