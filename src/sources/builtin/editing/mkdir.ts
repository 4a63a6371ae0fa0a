/** fs.mkdir: makes a folder, and those above it. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, directorySynonyms } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import { withoutExtras } from "./extras.ts";
import type { EditingPorts } from "./ports.ts";
import { inWorkspace } from "./workspace.ts";

export function createMkdir(ports: EditingPorts) {
  return defineBuiltin("fs.mkdir", {
    title: "Make a folder",
    description: "Makes a folder, and missing folders above it. One that exists already is no error.",
    input: closed(["path"], { path: { type: "string", description: "The folder." } }),
    synonyms: { path: directorySynonyms },
    annotations: { destructiveHint: false, idempotentHint: true },
    adapt: withoutExtras,
    run: ({ path }, context) =>
      inWorkspace(context, ports, [{ path }], async ({ files }) => {
        const made = await files.mkdir(path, { cwd: context.cwd });
        if (!made.ok) return failed(made);
        const { created } = made;
        const shown = shownPath(made.absolute, context);
        const text = created ? `Made the folder ${shown}.` : `The folder ${shown} exists already.`;
        return answered(text, { path: shown, created, changed: created, diff: "" });
      }),
  });
}
