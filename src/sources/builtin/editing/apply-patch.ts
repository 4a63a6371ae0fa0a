/** fs.apply_patch: a patch over any number of files, all or none. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import { withoutExtras } from "./extras.ts";
import { textOfBytes } from "./file-text.ts";
import { pathsOf, type ReadPatch } from "./patch/operations.ts";
import { planPatch } from "./patch/plan.ts";
import { readPatch } from "./patch/read-patch.ts";
import type { EditingPorts } from "./ports.ts";
import { answer, reportFile } from "./report.ts";
import { commitChanges, inWorkspace, type Workspace } from "./workspace.ts";

export function createApplyPatch(ports: EditingPorts) {
  return defineBuiltin("fs.apply_patch", {
    title: "Apply a patch",
    description:
      'Adds, changes, deletes and moves files by a patch; if any part does not fit, nothing is changed. Either "*** Begin Patch" with "*** Add File: p", "*** Update File: p" (then "*** Move to: q" if wanted, "@@ line above", lines that begin with a space, + or -), "*** Delete File: p", "*** End Patch"; or a unified diff as git writes it.',
    input: closed(["patch"], { patch: nonEmpty("The whole patch.") }),
    synonyms: { patch: ["input", "command", "patchText", "patch_text", "diff"] },
    annotations: { destructiveHint: true },
    adapt: (input) => unwrapped(withoutExtras(input)),
    validate: ({ patch }) => {
      const read = readPatch(patch);
      return read.ok ? undefined : read.message;
    },
    run: ({ patch }, context) => run(patch, context, ports),
  });
}

/** `["apply_patch", "*** Begin Patch ..."]`, as agents that have it as a command write it. */
function unwrapped(input: JsonObject): JsonObject {
  const { patch } = input;
  if (!Array.isArray(patch)) return input;
  const [name, text, ...more] = patch as readonly Json[];
  return name === "apply_patch" && typeof text === "string" && more.length === 0
    ? { ...input, patch: text }
    : input;
}

async function run(patch: string, context: ToolContext, ports: EditingPorts): Promise<ToolResult> {
  const read = readPatch(patch);
  if (!read.ok) return failed(read);
  const changed = read.operations.flatMap(pathsOf).map((path) => ({ path }));
  return inWorkspace(context, ports, changed, (workspace) => apply(read, workspace));
}

async function apply(read: ReadPatch & { readonly ok: true }, workspace: Workspace): Promise<ToolResult> {
  const { context } = workspace;
  const plan = await planPatch(workspace, read.operations);
  if (!plan.ok) return failed({ ...plan, message: `${plan.message} No file was changed.` });
  if (context.signal.aborted) return failed("The call was cancelled. No file was changed.");
  const { changes, newDirectories, loose } = plan;
  const refused = await commitChanges(workspace, changes, newDirectories);
  if (refused !== undefined) return failed(refused);
  const reports = changes.map((change) => {
    const { before, after } = change;
    return reportFile(
      { change, before: before && textOfBytes(before.bytes), after: after && textOfBytes(after) },
      context,
    );
  });
  const doubts = [...loose].map(
    ([absolute, rung]) =>
      `${shownPath(absolute, context)}: not an exact match (found by "${rung}"); check the diff.`,
  );
  return answer(reports, [...read.notes, ...doubts]);
}
