/** What an agent has told so far about one of its tool calls: updates and questions each tell a part. */

import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { AcpKind } from "../../../core/tool/acp-kinds.ts";
import { isKind, listIn, objectIn, textIn, textOfBlock } from "./protocol.ts";

export interface ToolFacts {
  readonly id: string;
  /** What the agent calls the tool, where it says so. */
  readonly name: string | undefined;
  /** All of them, the newest last: the first is often the tool's name, a later one says what the call does. */
  readonly titles: readonly string[];
  readonly kind: AcpKind | undefined;
  readonly status: string | undefined;
  readonly input: JsonObject | undefined;
  readonly locations: readonly string[];
  readonly edits: readonly FileEdit[];
  /** What it has answered. */
  readonly output: string;
}

export interface FileEdit {
  readonly path: string;
  readonly text: string | undefined;
}

export function noFacts(id: string): ToolFacts {
  const nothing = { name: undefined, kind: undefined, status: undefined, input: undefined };
  return { id, ...nothing, titles: [], locations: [], edits: [], output: "" };
}

/** What is not said again stays as it was. */
export function addFacts(known: ToolFacts, said: JsonObject): ToolFacts {
  const { kind, status, rawInput, content, locations, rawOutput } = said;
  const title = textIn(said.title);
  const places = listIn(locations).flatMap(({ path }) => textIn(path) ?? []);
  const edits = Array.isArray(content) ? listIn(content).flatMap(editsIn) : known.edits;
  const told = Array.isArray(content) ? textOfContent(listIn(content)) : "";
  const output =
    told === "" && typeof objectIn(rawOutput).output === "string" ? String(objectIn(rawOutput).output) : told;
  return {
    id: known.id,
    name: textIn(said.name) ?? known.name,
    titles: title === undefined ? known.titles : [...known.titles.filter((one) => one !== title), title],
    kind: isKind(kind) ? kind : known.kind,
    status: textIn(status) ?? known.status,
    // An agent may begin with an empty one, and fill it while the model writes.
    input: isJsonObject(rawInput) ? { ...known.input, ...rawInput } : known.input,
    locations: [...new Set([...known.locations, ...places])],
    edits: edits.length > 0 ? edits : known.edits,
    output: output === "" ? known.output : output,
  };
}

function editsIn(block: JsonObject): FileEdit[] {
  const { type, path, newText, changes, patch } = block;
  if (type !== "diff") return [];
  if (typeof path === "string") return [{ path, text: textIn(newText) ?? "" }];
  // Version 2 names the files, and may show a patch for all of them.
  const text = textIn(objectIn(patch).text);
  return listIn(changes).flatMap((change) =>
    [change.path, change.oldPath].flatMap((one) => (typeof one === "string" ? [{ path: one, text }] : [])),
  );
}

function textOfContent(blocks: readonly JsonObject[]): string {
  return blocks
    .filter(({ type }) => type === "content")
    .map(({ content }) => textOfBlock(content))
    .join("\n");
}
