/** fs.edit: replaces text in one file. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import { editFile } from "./edit-file.ts";
import {
  adaptEdits,
  newFileWithoutOldText,
  newTextSynonyms,
  oldTextSynonyms,
  replaceAllSynonyms,
  toEdit,
  type WrittenEdit,
} from "./edit-input.ts";
import { expectedHash, explainBadHash } from "./expected-hash.ts";
import { withoutExtras } from "./extras.ts";
import type { EditingPorts } from "./ports.ts";
import { answer, reportFile } from "./report.ts";
import { commitChanges, inWorkspace, type Workspace } from "./workspace.ts";

const edit = {
  old_string: {
    type: "string",
    description: "The text to find, with enough lines around it to fit one place only.",
  },
  new_string: { type: "string", description: "The text to put in its place." },
  replace_all: flag("Replace every place, not only one. Default false."),
  expected_replacements: { type: "integer", minimum: 1, description: "How many places there must be." },
} as const;

export function createEdit(ports: EditingPorts) {
  return defineBuiltin("fs.edit", {
    title: "Edit a file",
    description:
      "Replaces text in a file: old_string by new_string, or several edits in one call, all or none. The exact text may be a part of a line; whole lines are also found when they differ only in indentation, in the amount of white space or in the kind of quotes and dashes, and the answer says so. If several places fit, nothing is changed and the places are named. With an empty old_string a new file is made.",
    input: closed(["path"], {
      path: { type: "string", description: "The file." },
      ...edit,
      edits: {
        type: "array",
        minItems: 1,
        maxItems: 200,
        description: "Several edits, each on the result of the one before.",
        items: closed(["old_string", "new_string"], {
          ...edit,
          start_line: {
            type: "integer",
            minimum: 1,
            description: "Where it is expected, in the file before this call; tells equal places apart.",
          },
          whole_lines: flag("Both texts are whole lines."),
        }),
      },
      expected_sha256: expectedHash,
    }),
    synonyms: {
      path: pathSynonyms,
      old_string: oldTextSynonyms,
      new_string: newTextSynonyms,
      replace_all: replaceAllSynonyms,
      expected_sha256: ["expectedSha256"],
    },
    annotations: { destructiveHint: true },
    shapes: { editor: newFileWithoutOldText },
    adapt: (input) => adaptEdits(withoutExtras(input)),
    validate: explainBadArgs,
    run: (args, context) =>
      inWorkspace(context, ports, [{ path: args.path }], (workspace) => run(args, workspace)),
  });
}

interface EditArgs extends Partial<WrittenEdit> {
  readonly path: string;
  readonly edits?: readonly WrittenEdit[];
  readonly expected_sha256?: string;
}

function explainBadArgs({
  old_string: old,
  new_string: fresh,
  edits,
  ...rest
}: EditArgs): string | undefined {
  const single = old !== undefined || fresh !== undefined;
  if (single && edits !== undefined) return "give old_string and new_string, or edits, not both.";
  if (!single && edits === undefined) return "give old_string and new_string, or edits.";
  if (single && (old === undefined || fresh === undefined))
    return `old_string and new_string belong together; ${old === undefined ? "old_string" : "new_string"} is missing.`;
  if (!single && (rest.replace_all !== undefined || rest.expected_replacements !== undefined))
    return "with edits, replace_all and expected_replacements belong into each edit.";
  return explainBadHash(rest.expected_sha256);
}

async function run(args: EditArgs, workspace: Workspace): Promise<ToolResult> {
  const listed = args.edits !== undefined;
  const edits = (args.edits ?? [args as WrittenEdit]).map((one) => toEdit(one, listed));
  const edited = await editFile(workspace, args.path, edits, args.expected_sha256);
  if (!edited.ok) return failed(edited);
  const refused = await commitChanges(workspace, [edited.change], edited.newDirectories);
  return refused === undefined ? answer([reportFile(edited, workspace.context)]) : failed(refused);
}
