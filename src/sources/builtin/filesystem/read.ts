/** fs.read: text files by line ranges, images as images; one file or many. */
import { type Content, type ToolResult, toolResult } from "../../../core/content.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { ToolContext } from "../../../core/tool.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { type Failure, failed } from "../failed.ts";
import { maxAnswerBytes } from "../fit-lines.ts";
import { shownPath, workspaceFiles } from "../workspace-files.ts";
import { imageContent, imageFacts, type LoadedImage, maxImageBytes } from "./load-image.ts";
import { readFile, type TextFile } from "./read-file.ts";
import { textFacts, writeText } from "./write-text.ts";

const maxLineBytes = 2_000;
const maxLines = 2_000;
const maxFiles = 50;

export const read = defineBuiltin("fs.read", {
  title: "Read files",
  description:
    `Reads a text file of the workspace (up to ${maxLines} lines and ${maxAnswerBytes} bytes at once) or shows an image. ` +
    "Lines come as number, tab, text; set lineNumbers to false for the bare text. " +
    "A range is startLine to endLine (from 1, both included), or offset (lines to skip) and limit. " +
    "When a file is cut, the answer says with which offset to read on.",
  input: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "The file, relative to the working folder or absolute.",
      },
      paths: {
        type: "array",
        items: { type: "string", minLength: 1 },
        minItems: 1,
        maxItems: maxFiles,
        description: "Several files at once, instead of path. One that fails does not stop the others.",
      },
      startLine: { type: "integer", minimum: 1, description: "First line, from 1." },
      endLine: { type: "integer", minimum: 1, description: "Last line, included." },
      offset: { type: "integer", minimum: 0, description: "Lines to skip, from 0. Instead of startLine." },
      limit: { type: "integer", minimum: 1, description: "How many lines. Instead of endLine." },
      lineNumbers: { type: "boolean", description: "Default true." },
    },
    additionalProperties: false,
  },
  synonyms: {
    path: pathSynonyms,
    paths: ["file_paths"],
    startLine: ["start_line"],
    endLine: ["end_line"],
    lineNumbers: ["line_numbers"],
  },
  adapt: fromOtherShapes,
  validate: ({ path, paths, startLine, endLine, offset, limit }) => {
    if ((path === undefined) === (paths === undefined)) return "give either path or paths.";
    const byLine = startLine !== undefined || endLine !== undefined;
    if (byLine && (offset !== undefined || limit !== undefined))
      return "give either startLine and endLine, or offset and limit.";
    if (endLine !== undefined && endLine < (startLine ?? 1)) return "endLine must not be before startLine.";
    return undefined;
  },
  run: async ({ path, paths, startLine, endLine, offset, limit, lineNumbers = true }, context) => {
    const from = offset ?? (startLine ?? 1) - 1;
    const count = limit ?? (endLine === undefined ? undefined : endLine - from);
    const asked = { from, count, lineNumbers };
    return paths === undefined ? readOne(path ?? "", asked, context) : readMany(paths, asked, context);
  },
});

interface Asked {
  readonly from: number;
  /** Undefined: to the end. */
  readonly count: number | undefined;
  readonly lineNumbers: boolean;
}

type Reading = TextFile | LoadedImage | Failure;

async function readOne(path: string, asked: Asked, context: ToolContext): Promise<ToolResult> {
  const reading = await readWithin(path, asked, maxAnswerBytes, context);
  if (!("kind" in reading)) return failed(reading);
  const shown = shownPath(reading.absolute, context);
  const { content, facts } = present(shown, reading, asked);
  return toolResult({ content, structured: facts });
}

/** Each gets an equal share of the room, and what one leaves goes to those after it. */
async function readMany(paths: readonly string[], asked: Asked, context: ToolContext): Promise<ToolResult> {
  const content: Content[] = [];
  const facts: object[] = [];
  let room = maxAnswerBytes;
  let failures = 0;
  for (const [index, path] of paths.entries()) {
    const share = Math.floor(room / (paths.length - index));
    const reading = await readWithin(path, asked, share, context);
    if (context.signal.aborted) return failed({ code: "cancelled", message: "Reading was cancelled." });
    if (!("kind" in reading)) {
      failures += 1;
      room -= reading.message.length;
      content.push({ type: "text", text: `==> ${path} <==\n[not read: ${reading.message}]` });
      facts.push({ path, error: { code: reading.code ?? "failed", message: reading.message } });
      continue;
    }
    const shown = shownPath(reading.absolute, context);
    const one = present(shown, reading, asked);
    for (const block of one.content) {
      if (block.type === "text") room -= Buffer.byteLength(block.text);
      content.push(block.type === "text" ? { type: "text", text: `==> ${shown} <==\n${block.text}` } : block);
    }
    facts.push(one.facts);
  }
  return toolResult({ content, structured: { files: facts }, isError: failures === paths.length });
}

async function readWithin(path: string, asked: Asked, room: number, context: ToolContext): Promise<Reading> {
  const files = workspaceFiles(context, maxImageBytes);
  const space = Math.max(500, room - 500);
  const window = {
    from: asked.from,
    count: Math.min(asked.count ?? maxLines, maxLines),
    maxBytes: space,
    // A line that is asked for alone may be long.
    maxLineBytes: asked.count === 1 ? space : maxLineBytes,
  };
  return readFile(files, path, window, { cwd: context.cwd, signal: context.signal });
}

function present(
  shown: string,
  reading: TextFile | LoadedImage,
  asked: Asked,
): { content: Content[]; facts: object } {
  if (reading.kind === "image")
    return { content: imageContent(shown, reading), facts: imageFacts(shown, reading) };
  const text = writeText(reading, asked.lineNumbers);
  return { content: [{ type: "text", text }], facts: textFacts(shown, reading, asked.count) };
}

/** `files: [{path, start_line}]` and `include: [...]` of other agents. */
function fromOtherShapes(input: JsonObject): JsonObject | string {
  const { files, include, ...rest } = input;
  const given = files ?? include;
  if (given === undefined) return input;
  const list: readonly Json[] = Array.isArray(given) ? given : [given];
  if (list.some((one) => typeof one === "string" && /[*?]/.test(one)))
    return "wildcards are not read: find the files with search.glob first, then name them in paths";
  const [only] = list;
  if (list.length === 1 && only !== undefined && isJsonObject(only)) {
    const { start_line: startLine = only.startLine, end_line: endLine = only.endLine, path, ...more } = only;
    const range = {
      ...(startLine !== undefined && { startLine }),
      ...(endLine !== undefined && { endLine }),
    };
    return { ...rest, ...more, ...range, ...(path !== undefined && { path }) };
  }
  const paths = list.map((one) => (isJsonObject(one) && Object.keys(one).length === 1 ? one.path : one));
  if (paths.some((one) => typeof one !== "string"))
    return "several files at once are read by the same range: name them in paths, or read them one by one";
  return { ...rest, paths: paths as Json[] };
}
