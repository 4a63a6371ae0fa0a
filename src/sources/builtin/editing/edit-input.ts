/** Brings the many shapes of an edit into one: `{path, edits: [{old_string, new_string, ...}]}`. */
import type { InputShape } from "../../../core/input/input-shapes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { Edit } from "./match/apply-edits.ts";
import { blockWords, editWords, listedEditWords, wholeLineEditWords } from "./match/edit-words.ts";
import { type Block, explainBadBlocks, readBlocks } from "./patch/blocks.ts";

export const oldTextSynonyms = ["oldString", "old_str", "old_text", "oldText", "search"] as const;
export const newTextSynonyms = ["newString", "new_str", "new_text", "newText", "replace"] as const;
export const replaceAllSynonyms = ["replaceAll", "allow_multiple"] as const;

/** One edit as a caller writes it. */
export interface WrittenEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
  readonly expected_replacements?: number;
  readonly start_line?: number;
  readonly whole_lines?: boolean;
}

const names: ReadonlyMap<string, string> = new Map([
  ...oldTextSynonyms.map((name) => [name, "old_string"] as const),
  ...newTextSynonyms.map((name) => [name, "new_string"] as const),
  ...replaceAllSynonyms.map((name) => [name, "replace_all"] as const),
  ["startLine", "start_line"],
]);

/** Cline makes a file where no old text is given; a text editor's own name for replacing says nothing new. */
export const newFileWithoutOldText: InputShape = ({ command, ...input }) => {
  const rest = command === undefined || command === "str_replace" ? input : { ...input, command };
  const isAlone = Object.hasOwn(rest, "new_text") && !Object.hasOwn(rest, "insert_line");
  return isAlone && rest.old_text === undefined ? { ...rest, old_text: "" } : rest;
};

/** A text says what is wrong. What has the wrong type goes on as it is: the schema says it better. */
export function adaptEdits(input: JsonObject): JsonObject | string {
  const unknown = explainOtherEditor(input);
  if (unknown !== undefined) return unknown;
  const { diff, operations, instruction: _said, edits: written, ...rest } = input;
  const given = [written, operations, diff].filter((one) => one !== undefined && one !== null);
  if (given.length > 1) return 'expected one of "edits", "operations" and "diff"';
  if (typeof diff === "string") {
    const blocks = readBlocks(diff);
    const bad = explainBadBlocks(blocks);
    return bad ?? { ...rest, edits: blocks.blocks.map(toWritten) };
  }
  const edits = fromText(written ?? operations ?? undefined);
  if (edits === undefined) return rest;
  if (!Array.isArray(edits)) return { ...rest, edits };
  return { ...rest, edits: edits.map((edit: Json) => (isJsonObject(edit) ? renamed(edit) : edit)) };
}

/** Ways to edit that are not text for text. */
function explainOtherEditor(input: JsonObject): string | undefined {
  if (["notebook_path", "cell_id", "new_source"].some((name) => Object.hasOwn(input, name)))
    return "cells of a notebook are not edited as such: change the .ipynb as the JSON text it is, with old_string and new_string (fs.read shows it), or write it with fs.write";
  if (Object.hasOwn(input, "insert_line"))
    return "nothing is inserted by number: give as old_string the line it goes after, and as new_string that line and the new ones";
  if (Object.hasOwn(input, "code_edit"))
    return "an edit is text for text: give old_string and new_string instead of code_edit";
  return undefined;
}

/** Some models send a list as the text of that list. */
function fromText(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function renamed(edit: JsonObject): JsonObject {
  const made: Record<string, Json> = {};
  for (const [name, value] of Object.entries(edit)) {
    const own = names.get(name) ?? name;
    // Two names with two values stay two fields, and the schema refuses the one it does not know.
    if (Object.hasOwn(made, own) && made[own] !== value) made[name] = value;
    else if (value !== null) made[own] = value;
  }
  return made;
}

function toWritten({ search, replace, startLine }: Block): JsonObject {
  return {
    old_string: search,
    new_string: replace,
    whole_lines: true,
    ...(startLine !== undefined && { start_line: startLine }),
  };
}

/** `listed`: one of a list, where an edit takes more parameters. */
export function toEdit(written: WrittenEdit, listed: boolean): Edit {
  const words = written.whole_lines === true ? wholeLineEditWords : listed ? listedEditWords : editWords;
  return {
    words,
    oldText: written.old_string,
    newText: written.new_string,
    ...(written.replace_all !== undefined && { replaceAll: written.replace_all }),
    ...(written.expected_replacements !== undefined && { places: written.expected_replacements }),
    ...(written.start_line !== undefined && { startLine: written.start_line }),
    ...(written.whole_lines !== undefined && { wholeLines: written.whole_lines }),
  };
}

export function editsOfBlocks(blocks: readonly Block[]): Edit[] {
  return blocks.map(({ search, replace, startLine }) => ({
    oldText: search,
    newText: replace,
    wholeLines: true,
    words: blockWords,
    ...(startLine !== undefined && { startLine }),
  }));
}
