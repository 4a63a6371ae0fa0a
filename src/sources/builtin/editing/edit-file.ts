/** Works out what edits would make of a file, without touching it. */
import type { Failed } from "../../../core/call/tool-answer.ts";
import { bytesOfText } from "./file-text.ts";
import { locateNew } from "./locate-new.ts";
import { applyEdits, type Edit } from "./match/apply-edits.ts";
import type { ChangedFile } from "./report.ts";
import { readText, refuseStale, type Workspace } from "./workspace.ts";

export interface EditedFile extends ChangedFile {
  readonly ok: true;
  readonly newDirectories: readonly string[];
}

export async function editFile(
  workspace: Workspace,
  path: string,
  edits: readonly Edit[],
  expectedHash: string | undefined,
): Promise<EditedFile | Failed> {
  const opened = await readText(workspace, path);
  // An edit that looks for nothing makes a new file.
  const isNew = !opened.ok && opened.code === "not_found" && edits[0]?.oldText === "";
  if (!opened.ok && (!isNew || expectedHash !== undefined)) return opened;
  const place = opened.ok ? { ...opened.file, newDirectories: [] } : await locateNew(workspace, path);
  if (!place.ok) return place;
  const { file, text: before } = opened.ok ? opened : { file: undefined, text: undefined };
  const stale = file && refuseStale(workspace, path, file, expectedHash);
  if (stale !== undefined) return stale;
  const edited = applyEdits(before ?? "", edits);
  if (!edited.ok) return file ? { ...edited, message: `${JSON.stringify(path)}: ${edited.message}` } : edited;
  const { absolute, newDirectories } = place;
  const { text: after, applied } = edited;
  const change = { path, absolute, before: file, after: bytesOfText(after) };
  return { ok: true, change, before, after, applied, newDirectories };
}
