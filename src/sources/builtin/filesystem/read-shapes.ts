/** The ways in which other agents ask for files and lines, brought into the one of fs.read. */
import type { InputShape } from "../../../core/input/input-shapes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";

/** Claude Code, OpenCode and pi count lines from 1 where this tool's offset counts those to skip. */
export const offsetFromOne: InputShape = (input) => {
  const { offset, ...rest } = input;
  return typeof offset === "number" && offset >= 1 ? { ...rest, offset: offset - 1 } : input;
};

/** `read_file` is Gemini's, with our offset, and Roo's, which calls the file `path` and counts from 1. */
export const readFileOffset: InputShape = (input) =>
  Object.hasOwn(input, "path") ? offsetFromOne(input) : input;

/** Answers the bare text, and counts lines from 1 also in what it says about reading on. */
export const plainByLine: InputShape = (input) => {
  const asks = (...names: string[]) => names.some((name) => Object.hasOwn(input, name));
  return {
    ...input,
    ...(!asks("lineNumbers", "line_numbers") && { lineNumbers: false }),
    ...(!asks("startLine", "start_line", "offset", "limit", "files", "args") && { startLine: 1 }),
  };
};

/** Said about globs, of which none is read here. */
const aboutGlobs = ["recursive", "useDefaultExcludes", "file_filtering_options", "exclude"];

/** A text says what is wrong. */
export function fromOtherReads(input: JsonObject): JsonObject | string {
  const { files, include, args, mode, pages, indentation, should_read_entire_file: whole, ...rest } = input;
  if (pages !== undefined && pages !== null)
    return "pages of a PDF are not read here: turn it into text with a command such as pdftotext first";
  if (mode === "indentation" || isGiven(indentation))
    return "the mode indentation is not known here: give startLine and endLine";
  if (isGiven(mode) && mode !== "slice") return { ...rest, mode };
  const asked = whole === true ? { ...rest, startLine: null, endLine: null } : rest;
  const given = [files, include, filesOfArgs(args)].filter(isGiven);
  const [only] = given;
  if (only === undefined) return isGiven(asked.path) || isGiven(asked.paths) ? asked : needsFile;
  if (given.length > 1) return "give the files once: as path, paths or files";
  const others = Object.entries(asked).filter(([name]) => !aboutGlobs.includes(name));
  return fromList(Array.isArray(only) ? only : [only], Object.fromEntries(others));
}

const needsFile = "which file? give either path, paths or files";

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function fromList(list: readonly Json[], rest: JsonObject): JsonObject | string {
  if (list.some((one) => typeof one === "string" && /[*?]/.test(one)))
    return "wildcards are not read: find the files with search.glob first, then name them in paths";
  if (list.every((one) => typeof one === "string")) return { ...rest, paths: list as Json[] };
  const parts: Json[] = [];
  for (const one of list) {
    const made = typeof one === "string" ? [{ path: one }] : isJsonObject(one) ? partsOf(one) : [one];
    if (typeof made === "string") return made;
    parts.push(...made);
  }
  const [first] = parts;
  // One file with one range is what the plain fields say.
  if (parts.length === 1 && first !== undefined && isJsonObject(first)) return { ...rest, ...first };
  return { ...rest, files: parts };
}

/** One entry for each range of a file. */
function partsOf(file: JsonObject): Json[] | string {
  const { line_ranges: many, line_range: one, start_line, end_line, ...rest } = file;
  const named = {
    ...rest,
    ...(isGiven(start_line) && { startLine: start_line }),
    ...(isGiven(end_line) && { endLine: end_line }),
  };
  const ranges = [many, one].filter(isGiven).flatMap((range) => (isListOfRanges(range) ? range : [range]));
  if (ranges.length === 0) return [named];
  const read = ranges.map(rangeOf);
  if (read.some((range) => range === undefined))
    return 'a range of lines is written as [1, 50] or "1-50", both included';
  return read.map((range) => ({ ...named, ...range }));
}

function isListOfRanges(value: Json): value is Json[] {
  return Array.isArray(value) && value.some((one) => typeof one !== "number");
}

/** `[1, 50]`, `"1-50"`, `{start: 1, end: 50}`. */
function rangeOf(range: Json): JsonObject | undefined {
  const text = typeof range === "string" ? /^\s*(\d{1,9})\s*-\s*(\d{1,9})\s*$/.exec(range) : null;
  const [startLine, endLine] =
    text !== null
      ? [Number(text[1]), Number(text[2])]
      : Array.isArray(range)
        ? range
        : isJsonObject(range)
          ? [range.start, range.end]
          : [];
  return typeof startLine === "number" && typeof endLine === "number" ? { startLine, endLine } : undefined;
}

/** `{file: [{path, line_range}]}`, or the same as the tags that some models write. */
function filesOfArgs(args: Json | undefined): Json | undefined {
  if (args === undefined || args === null) return undefined;
  if (isJsonObject(args)) return args.file ?? args;
  if (typeof args !== "string") return args;
  const found = [...args.matchAll(/<file>([\s\S]*?)<\/file>/g)].map(([, body = ""]) => {
    const path = /<path>([^<]*)<\/path>/.exec(body)?.[1]?.trim();
    const ranges = [...body.matchAll(/<line_range>([^<]*)<\/line_range>/g)].map(([, range = ""]) => range);
    return { ...(path !== undefined && { path }), ...(ranges.length > 0 && { line_ranges: ranges }) };
  });
  return found.length === 0 ? args : found;
}
