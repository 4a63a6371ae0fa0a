/** fs.delete: removes a file, or with `recursive` a folder. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import { withoutExtras } from "./extras.ts";
import { textOfBytes } from "./file-text.ts";
import type { EditingPorts } from "./ports.ts";
import { shortDiff } from "./short-diff.ts";
import { inWorkspace, type Workspace } from "./workspace.ts";

/** A folder that holds more is a decision for a person with a shell. */
export const maxDeleted = 1_000;

export function createDelete(ports: EditingPorts) {
  return defineBuiltin("fs.delete", {
    title: "Delete a file or folder",
    description: `Deletes a file. A folder only with recursive: true, and only if it holds at most ${maxDeleted} entries. A link is deleted itself, never what it leads to.`,
    input: closed(["path"], {
      path: { type: "string", description: "The file or folder." },
      recursive: flag("Also a folder with everything in it. Default false."),
    }),
    synonyms: { path: pathSynonyms },
    annotations: { destructiveHint: true },
    adapt: withoutExtras,
    run: ({ path, recursive = false }, context) =>
      inWorkspace(context, ports, [{ path, link: true }], (workspace) => remove(workspace, path, recursive)),
  });
}

async function remove(workspace: Workspace, path: string, recursive: boolean): Promise<ToolResult> {
  const { files, context, place } = workspace;
  const facts = await files.stat(path, place);
  let text: string | undefined;
  if (facts.ok && facts.kind === "directory") {
    const refused = await refuseFolder(workspace, path, recursive);
    if (refused !== undefined) return refused;
  } else if (facts.ok) {
    const old = await files.read(path, place);
    text = old.ok ? textOfBytes(old.bytes) : undefined;
  }
  const removed = await files.remove(path, { ...place, recursive });
  if (!removed.ok) return failed(removed);
  const { absolute, count } = removed;
  const shown = shownPath(absolute, context);
  // What was read may be what a link leads to, which is still there.
  const wasFile = text !== undefined && facts.ok && facts.absolute === absolute;
  const diff = wasFile ? shortDiff(shown, text, undefined).text : "";
  const what = count > 1 ? ` and ${count - 1} entries in it` : "";
  const report = { path: shown, deleted: true, changed: true, count, diff };
  return answered(`Deleted ${shown}${what}.${diff === "" ? "" : `\n\n${diff}`}`, report);
}

async function refuseFolder(
  { files, place }: Workspace,
  path: string,
  recursive: boolean,
): Promise<ToolResult | undefined> {
  const name = JSON.stringify(path);
  if (!recursive)
    return failed(`${name} is a folder. Say recursive: true to delete it with everything in it.`);
  const listing = await files.list(path, { ...place, depth: 64, limit: maxDeleted, details: false });
  if (!listing.ok) return failed(listing);
  if (!listing.truncated) return undefined;
  const message = `${name} holds more than ${maxDeleted} entries. Delete its parts one by one, or ask a person.`;
  return failed({ code: "too_large", message });
}
