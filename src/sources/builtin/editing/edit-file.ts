/** Works out what edits would make of a file, without touching it. */
import type { Failed } from "../../../core/call/tool-answer.ts";
import { bytesOfText } from "./file-text.ts";
import type { FileChange } from "./journal/commit.ts";
import { locateNew, type NewPlace } from "./locate-new.ts";
import { type AppliedEdit, applyEdits, type Edit } from "./match/apply-edits.ts";
import { readText, refuseStale, type Workspace } from "./workspace.ts";

export interface EditedFile {
  readonly ok: true;
  readonly change: FileChange;
  readonly before: string | undefined;
  readonly after: string;
  readonly applied: readonly AppliedEdit[];
  readonly newDirectories: readonly string[];
}

export async function editFile(
  workspace: Workspace,
  path: string,
  edits: readonly Edit[],
  expectedHash: string | undefined,
): Promise<EditedFile | Failed> {
  const opened = await readText(workspace, path);
  if (!opened.ok) {
    // An edit that looks for nothing makes a new file.
    if (opened.code !== "not_found" || edits[0]?.oldText !== "" || expectedHash !== undefined) return opened;
    const place = await locateNew(workspace, path);
    return place.ok ? newFile(path, place, edits) : place;
  }
  const { file, text } = opened;
  const stale = refuseStale(workspace, path, file, expectedHash);
  if (stale !== undefined) return stale;
  const edited = applyEdits(text, edits);
  if (!edited.ok) return { ...edited, message: `${JSON.stringify(path)}: ${edited.message}` };
  return {
    ok: true,
    change: { path, absolute: file.absolute, before: file, after: bytesOfText(edited.text) },
    before: text,
    after: edited.text,
    applied: edited.applied,
    newDirectories: [],
  };
}

function newFile(path: string, place: NewPlace, edits: readonly Edit[]): EditedFile | Failed {
  const edited = applyEdits("", edits);
  if (!edited.ok) return edited;
  return {
    ok: true,
    change: { path, absolute: place.absolute, before: undefined, after: bytesOfText(edited.text) },
    before: undefined,
    after: edited.text,
    applied: edited.applied,
    newDirectories: place.newDirectories,
  };
}
