/** fs.move: gives a file or folder another path. */
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import { withoutExtras } from "./extras.ts";
import type { EditingPorts } from "./ports.ts";
import { inWorkspace } from "./workspace.ts";

export function createMove(ports: EditingPorts) {
  return defineBuiltin("fs.move", {
    title: "Move or rename",
    description:
      "Moves or renames a file or folder inside the workspace. What is at the new path stays unless overwrite is true; folders are never replaced.",
    input: closed(["from", "to"], {
      from: { type: "string", description: "The path now." },
      to: { type: "string", description: "The full new path, with the new name." },
      overwrite: flag("Replace a file at the new path. Default false."),
      create_parents: flag("Make missing folders. Default true."),
    }),
    synonyms: { from: ["source"], to: ["destination"], create_parents: ["createParents"] },
    annotations: { destructiveHint: true },
    adapt: withoutExtras,
    run: ({ from: old, to: fresh, overwrite = false, create_parents: makeParents = true }, context) => {
      const changed = [old, fresh].map((path) => ({ path, link: true as const }));
      return inWorkspace(context, ports, changed, async ({ files }) => {
        const { cwd, signal } = context;
        const moved = await files.move(old, fresh, { cwd, signal, overwrite, makeParents });
        if (!moved.ok) return failed(moved);
        const [from, to] = [shownPath(moved.from, context), shownPath(moved.to, context)];
        const diff = `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}`;
        return answered(`Moved ${from} to ${to}.\n\n${diff}`, { from, to, changed: true, diff });
      });
    },
  });
}
