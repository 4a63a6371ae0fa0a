/** fs.apply_diff: SEARCH/REPLACE blocks for one file or many, all or none. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { type EditedFile, editFile } from "./edit-file.ts";
import { editsOfBlocks } from "./edit-input.ts";
import { withoutExtras } from "./extras.ts";
import { progressOf } from "./partial-diff.ts";
import { expectedAt, explainBadBlocks, readBlocks } from "./patch/blocks.ts";
import type { EditingPorts } from "./ports.ts";
import { answer, reportFile } from "./report.ts";
import { commitChanges, inWorkspace, type Workspace } from "./workspace.ts";

const diff = {
  type: "string",
  description:
    'Blocks: a line "<<<<<<< SEARCH" (then, if wanted, ":start_line:12", counted in the file before this call), the lines to find, a line "=======", the new lines, a line ">>>>>>> REPLACE". Put a backslash before a line of the file that looks like one of these.',
} as const;

export function createApplyDiff(ports: EditingPorts) {
  const { onDiffProgress } = ports;
  return defineBuiltin("fs.apply_diff", {
    title: "Apply search and replace blocks",
    description:
      "Changes one file (path and diff) or many (files) by SEARCH/REPLACE blocks of whole lines. Differences in indentation, in the amount of white space and in the kind of quotes and dashes are forgiven, and the answer says so. If one block of any file does not fit exactly one place, no file is changed.",
    input: closed([], {
      path: { type: "string", description: "The file." },
      diff,
      files: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        description: "Several files at once, instead of path and diff.",
        items: closed(["path", "diff"], { path: { type: "string" }, diff }),
      },
    }),
    synonyms: { path: pathSynonyms },
    annotations: { destructiveHint: true },
    adapt: (input) => fromTags(withoutExtras(input)),
    validate: explainBadArgs,
    ...(onDiffProgress && {
      onPartial: (block, context) => onDiffProgress(progressOf(block, context)),
    }),
    run: (args, context) => {
      const files = filesOf(args);
      return inWorkspace(context, ports, files, (workspace) => run(files, workspace));
    },
  });
}

/** Roo's many files at once: `{args: {file: [{path, diff: {content, start_line}}]}}`. */
function fromTags(input: JsonObject): JsonObject | string {
  const { args, ...rest } = input;
  if (!isJsonObject(args ?? null) || rest.files !== undefined) return input;
  const files: Json[] = [];
  for (const file of [(args as JsonObject).file ?? []].flat()) {
    if (!isJsonObject(file)) {
      files.push(file);
      continue;
    }
    const diffs = [file.diff ?? []].flat();
    const bad = diffs.map(explainBadLine).find((message) => message !== undefined);
    if (bad !== undefined) return bad;
    files.push({ ...file, diff: diffs.map(textOfDiff).join("\n") });
  }
  return { ...rest, files };
}

/** The number beside the blocks is where the first of them is expected, unless the block says so itself. */
function textOfDiff(diff: Json): Json {
  if (!isJsonObject(diff)) return diff;
  const { content = "", start_line: line } = diff;
  return typeof content === "string" && isLine(line) ? expectedAt(content, Number(line)) : content;
}

function explainBadLine(diff: Json): string | undefined {
  const line = isJsonObject(diff) ? (diff.start_line ?? "") : "";
  if (line === "" || isLine(line)) return undefined;
  return `start_line of a diff must be the number of a line, not ${JSON.stringify(line)}`;
}

/** Tags hold numbers as text. */
function isLine(line: Json | undefined): boolean {
  return (typeof line === "number" || typeof line === "string") && /^\s*\d{1,9}\s*$/.test(String(line));
}

interface FileDiff {
  readonly path: string;
  readonly diff: string;
}

type DiffArgs = Partial<FileDiff> & { readonly files?: readonly FileDiff[] };

function filesOf({ path, diff, files }: DiffArgs): readonly FileDiff[] {
  return files ?? [{ path: path!, diff: diff! }];
}

function explainBadArgs(args: DiffArgs): string | undefined {
  const { path, diff, files } = args;
  if (files !== undefined && (path !== undefined || diff !== undefined))
    return "give path and diff, or files, not both.";
  if (files === undefined && (path === undefined || diff === undefined))
    return "give path and diff, or files.";
  for (const file of filesOf(args)) {
    const bad = explainBadBlocks(readBlocks(file.diff));
    if (bad !== undefined) return `the diff for ${JSON.stringify(file.path)}: ${bad}`;
  }
  return undefined;
}

async function run(files: readonly FileDiff[], workspace: Workspace): Promise<ToolResult> {
  const edited: EditedFile[] = [];
  for (const file of files) {
    const one = await editFile(workspace, file.path, editsOfBlocks(readBlocks(file.diff).blocks), undefined);
    if (!one.ok) return failed({ ...one, message: withScope(one.message, files.length) });
    const same = edited.some(({ change }) => change.absolute === one.change.absolute);
    if (same)
      return failed(`${JSON.stringify(file.path)} is named twice. Put all blocks of a file together.`);
    edited.push(one);
  }
  const changes = edited.map(({ change }) => change);
  const newDirectories = [...new Set(edited.flatMap((one) => one.newDirectories))].sort();
  const refused = await commitChanges(workspace, changes, newDirectories);
  if (refused !== undefined) return failed(refused);
  return answer(edited.map((file) => reportFile(file, workspace.context)));
}

function withScope(message: string, count: number): string {
  return count === 1 ? message : `${message} No file was changed.`;
}
