/** fs.mkdir: makes a folder, and those above it. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { withoutExtras } from "./extras.ts";
import type { EditingPorts } from "./ports.ts";
import { inWorkspace, type Workspace } from "./workspace.ts";

export function createMkdir(ports: EditingPorts) {
  return defineBuiltin("fs.mkdir", {
    title: "Make a folder",
    description: "Makes a folder, and missing folders above it. One that exists already is no error.",
    input: closed(["path"], { path: { type: "string", description: "The folder." } }),
    synonyms: { path: directorySynonyms },
    annotations: { destructiveHint: false, idempotentHint: true },
    adapt: withoutExtras,
    run: ({ path }, context) => inWorkspace(context, ports, [{ path }], (workspace) => make(workspace, path)),
  });
}

async function make(workspace: Workspace, path: string): Promise<ToolResult> {
  const made = await workspace.files.mkdir(path, { cwd: workspace.context.cwd });
  if (!made.ok) return failed(made);
  const shown = shownPath(made.absolute, workspace.context);
  const text = made.created ? `Made the folder ${shown}.` : `The folder ${shown} exists already.`;
  return answered(text, { path: shown, created: made.created, changed: made.created, diff: "" });
}
