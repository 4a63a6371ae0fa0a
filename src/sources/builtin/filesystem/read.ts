/** fs.read: text files by line ranges, images as images; one file or many. */
import { type Content, type ToolResult, toolResult } from "../../../core/call/content.ts";
import { sessionOf } from "../../../core/call/session-key.ts";
import { type Failure, failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { judgedFiles, shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { maxAnswerBytes } from "../fit-lines.ts";
import { closed, closedOneOf, flag, nonEmpty, pathList } from "../input-fields.ts";
import type { FilesystemPorts } from "./filesystem-tools.ts";
import { imageContent, imageFacts, type LoadedImage, maxImageBytes } from "./load-image.ts";
import { readFile, type TextFile } from "./read-file.ts";
import { fromOtherReads, offsetFromOne, plainByLine, readFileOffset } from "./read-shapes.ts";
import { textFacts, writeText } from "./write-text.ts";

const maxLineBytes = 2_000;
const maxLines = 2_000;
const maxFiles = 50;

export function createRead({ seen }: FilesystemPorts = {}) {
  return defineBuiltin("fs.read", {
    title: "Read files",
    description:
      `Reads a text file of the workspace (up to ${maxLines} lines and ${maxAnswerBytes} bytes at once) or shows an image. ` +
      "Lines come as number, tab, text; set lineNumbers to false for the bare text. " +
      "A range is startLine to endLine (from 1, both included), or offset (lines to skip) and limit; files takes a range for each. " +
      "When a file is cut, the answer says with which startLine or offset to read on; an offset past the end answers an empty text.",
    input: closedOneOf({
      path: nonEmpty(
        "The file, relative to the working folder or absolute. Required, unless paths or files is given.",
      ),
      paths: pathList(
        maxFiles,
        "Several files at once, instead of path. One that fails does not stop the others.",
      ),
      files: {
        type: "array",
        items: closed(["path"], {
          path: { type: "string", minLength: 1 },
          startLine: { type: "integer", minimum: 1 },
          endLine: { type: "integer", minimum: 1 },
        }),
        minItems: 1,
        maxItems: maxFiles,
        description: "Several files or parts of files, each with its own range, instead of path.",
      },
      startLine: { type: "integer", minimum: 1, description: "First line, from 1." },
      endLine: { type: "integer", minimum: 1, description: "Last line, included." },
      offset: { type: "integer", minimum: 0, description: "Lines to skip, from 0. Instead of startLine." },
      limit: { type: "integer", minimum: 1, description: "How many lines. Instead of endLine." },
      lineNumbers: flag("Default true."),
    }),
    synonyms: {
      path: pathSynonyms,
      paths: ["file_paths"],
      startLine: ["start_line", "start_line_one_indexed"],
      endLine: ["end_line", "end_line_one_indexed_inclusive"],
      lineNumbers: ["line_numbers"],
    },
    shapes: {
      Read: offsetFromOne,
      read: offsetFromOne,
      read_file: readFileOffset,
      "file-reader": plainByLine,
    },
    adapt: fromOtherReads,
    validate: ({ path, paths, files, startLine, endLine, offset, limit }) => {
      if ([path, paths, files].filter((one) => one !== undefined).length !== 1)
        return "give either path, paths or files.";
      const byLine = startLine !== undefined || endLine !== undefined;
      if (byLine && (offset !== undefined || limit !== undefined))
        return "give either startLine and endLine, or offset and limit.";
      if (files !== undefined && (byLine || offset !== undefined || limit !== undefined))
        return "with files, the range belongs into each of them.";
      if ([{ startLine, endLine }, ...(files ?? [])].some(isBackwards))
        return "endLine must not be before startLine.";
      return undefined;
    },
    run: async ({ path, paths, files, lineNumbers = true, ...range }, context) => {
      const asked = (one: Range) => ({ ...linesOf(one), lineNumbers });
      if (path !== undefined) return readOne({ path, ...asked(range) }, context, seen);
      const each = files ?? (paths ?? []).map((one) => ({ path: one, ...range }));
      return readMany(
        each.map((one) => ({ path: one.path, ...asked(one) })),
        context,
        seen,
      );
    },
  });
}

export const read = createRead();

interface Range {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

function isBackwards({ startLine = 1, endLine }: Range): boolean {
  return endLine !== undefined && endLine < startLine;
}

function linesOf({ startLine, endLine, offset, limit }: Range): Pick<Asked, "from" | "count" | "byLine"> {
  const from = offset ?? (startLine ?? 1) - 1;
  const count = limit ?? (endLine === undefined ? undefined : endLine - from);
  return { from, count, byLine: startLine !== undefined || endLine !== undefined };
}

interface Asked {
  readonly path: string;
  readonly from: number;
  /** Undefined: to the end. */
  readonly count: number | undefined;
  /** By startLine and endLine, not by offset and limit. */
  readonly byLine: boolean;
  readonly lineNumbers: boolean;
}

type Reading = TextFile | LoadedImage | Failure;

async function readOne(
  asked: Asked,
  context: ToolContext,
  seen: FilesystemPorts["seen"],
): Promise<ToolResult> {
  const reading = await readWithin(asked, maxAnswerBytes, context);
  if (!("kind" in reading)) return failed(reading);
  noteSeen(reading, context, seen);
  const shown = shownPath(reading.absolute, context);
  const { content, facts } = present(shown, reading, asked);
  return toolResult({ content, structured: facts });
}

/** Each gets an equal share of the room, and what one leaves goes to those after it. */
async function readMany(
  all: readonly Asked[],
  context: ToolContext,
  seen: FilesystemPorts["seen"],
): Promise<ToolResult> {
  const content: Content[] = [];
  const facts: object[] = [];
  let room = maxAnswerBytes;
  let failures = 0;
  for (const [index, asked] of all.entries()) {
    const { path } = asked;
    const share = Math.floor(room / (all.length - index));
    const reading = await readWithin(asked, share, context);
    if (context.signal.aborted) return failed({ code: "cancelled", message: "Reading was cancelled." });
    if (!("kind" in reading)) {
      failures += 1;
      room -= reading.message.length;
      content.push({ type: "text", text: `==> ${path} <==\n[not read: ${reading.message}]` });
      facts.push({ path, error: { code: reading.code ?? "failed", message: reading.message } });
      continue;
    }
    noteSeen(reading, context, seen);
    const shown = shownPath(reading.absolute, context);
    const one = present(shown, reading, asked);
    for (const block of one.content) {
      if (block.type === "text") room -= Buffer.byteLength(block.text);
      content.push(block.type === "text" ? { type: "text", text: `==> ${shown} <==\n${block.text}` } : block);
    }
    facts.push(one.facts);
  }
  return toolResult({ content, structured: { files: facts }, isError: failures === all.length });
}

async function readWithin(asked: Asked, room: number, context: ToolContext): Promise<Reading> {
  const files = judgedFiles(context, { maxBytes: maxImageBytes });
  const space = Math.max(500, room - 500);
  const window = {
    from: asked.from,
    count: Math.min(asked.count ?? maxLines, maxLines),
    maxBytes: space,
    // A line that is asked for alone may be long.
    maxLineBytes: asked.count === 1 ? space : maxLineBytes,
  };
  return readFile(files, asked.path, window, {
    cwd: context.cwd,
    signal: context.signal,
    pastEnd: asked.byLine ? "failure" : "empty",
  });
}

/** Also when only a part was shown: what matters is whether the file is still the same. */
function noteSeen(
  { absolute, sha256 }: TextFile | LoadedImage,
  context: ToolContext,
  seen: FilesystemPorts["seen"],
): void {
  if (context.sessionId !== undefined && sha256 !== undefined)
    seen?.note(sessionOf(context), absolute, sha256);
}

function present(
  shown: string,
  reading: TextFile | LoadedImage,
  asked: Asked,
): { content: Content[]; facts: object } {
  if (reading.kind === "image")
    return { content: imageContent(shown, reading), facts: imageFacts(shown, reading) };
  const text = writeText(reading, asked);
  return { content: [{ type: "text", text }], facts: textFacts(shown, reading, asked.count) };
}
