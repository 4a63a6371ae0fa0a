/** What an edit would make of files, for a person who is asked: worked out in memory, nothing is touched. */
import { setImmediate as turn } from "node:timers/promises";
import type { Failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { pathsInPatch } from "../../../core/input/patch-headers.ts";
import { findAgentsTool } from "../../../core/tool/known-tools.ts";
import type { StandardSchema } from "../../../core/tool/schema.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { createInsideRoot, keepTextShape } from "../../../safe/files/inside-root/inside-root.ts";
import { createPathLocks } from "../../../safe/files/path-locks.ts";
import { createApplyDiff } from "./apply-diff.ts";
import { createApplyPatch } from "./apply-patch.ts";
import { createDelete } from "./delete.ts";
import { createEdit } from "./edit.ts";
import { editFile } from "./edit-file.ts";
import { editsOfBlocks, toEdit, type WrittenEdit } from "./edit-input.ts";
import { textOfBytes } from "./file-text.ts";
import type { Edit } from "./match/apply-edits.ts";
import { createMove } from "./move.ts";
import { readBlocks } from "./patch/blocks.ts";
import { planPatch } from "./patch/plan.ts";
import { readPatch } from "./patch/read-patch.ts";
import type { EditingPorts } from "./ports.ts";
import type { Workspace } from "./workspace.ts";
import { createWrite } from "./write.ts";

export interface PreviewedFile {
  /** As the call names it. */
  readonly path: string;
  readonly change: "create" | "edit" | "delete" | "move" | "unknown";
  readonly movedTo?: string;
  readonly before?: string;
  readonly after?: string;
  /** Why it is not known what would be in it. */
  readonly hidden?: string;
}

export interface PreviewPlace {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly statePaths: readonly string[];
  readonly signal: AbortSignal;
}

/** Undefined: the tool is none that edits files. */
export async function previewEdits(
  tool: string,
  input: JsonObject,
  place: PreviewPlace,
): Promise<readonly PreviewedFile[] | undefined> {
  const kind = findAgentsTool(tool)?.id ?? tool;
  const preview = previews.get(kind);
  if (preview === undefined) return undefined;
  const schema = preview.tool().input as unknown as StandardSchema;
  const read = await schema["~standard"].validate(input);
  if (read.issues !== undefined)
    return [
      {
        path: "",
        change: "unknown",
        hidden: `It is not clear what it would do: ${read.issues[0]?.message}.`,
      },
    ];
  return preview.look(read.value as Args, workspaceOf(place));
}

/** What the schemas of these tools make of an input, all together. */
interface Args extends Partial<WrittenEdit> {
  readonly path?: string;
  readonly content?: string;
  readonly keep_endings?: boolean;
  readonly edits?: readonly WrittenEdit[];
  readonly diff?: string;
  readonly files?: readonly { readonly path: string; readonly diff: string }[];
  readonly patch?: string;
  readonly from?: string;
  readonly to?: string;
}

interface Preview {
  readonly tool: () => { readonly input: unknown };
  readonly look: (args: Args, workspace: Workspace) => Promise<readonly PreviewedFile[]>;
}

/** Nothing of it is used: their schemas need no place to write to. */
const noPorts: EditingPorts = { stateFolder: "/", locks: createPathLocks() };

const previews: ReadonlyMap<string, Preview> = new Map<string, Preview>([
  ["fs.write", { tool: () => createWrite(noPorts), look: lookAtWrite }],
  ["fs.edit", { tool: () => createEdit(noPorts), look: lookAtEdit }],
  ["fs.apply_diff", { tool: () => createApplyDiff(noPorts), look: lookAtDiff }],
  ["fs.apply_patch", { tool: () => createApplyPatch(noPorts), look: lookAtPatch }],
  ["fs.delete", { tool: () => createDelete(noPorts), look: lookAtDelete }],
  ["fs.move", { tool: () => createMove(noPorts), look: lookAtMove }],
]);

/** Of all files of one call together. */
const longestMs = 1_000;

/** What a patch changes is searched for place by place, in one go: others wait for it. */
const longestPatch = 256 * 1024;
const mostPlaces = 300;

/** Larger files are not drawn. */
const maxBytes = 512 * 1024;

/** Reads by handle, only below the roots and nothing that is protected. */
function workspaceOf({ roots, cwd, statePaths, signal }: PreviewPlace): Workspace {
  const files = createInsideRoot({ roots, statePaths, maxBytes });
  // The functions that work an edit out use no more of it.
  const context = { cwd, signal, sessionId: undefined } as unknown as ToolContext;
  return { files, place: { cwd, signal }, context, ports: noPorts };
}

async function lookAtWrite(
  { path = "", content = "", keep_endings: keep }: Args,
  { files, place }: Workspace,
): Promise<readonly PreviewedFile[]> {
  const old = await files.read(path, place);
  if (!old.ok && old.code === "not_found") return [{ path, change: "create", after: content }];
  if (!old.ok) return [{ path, change: "edit", after: content, hidden: old.message }];
  const before = textOfBytes(old.bytes);
  if (before === undefined)
    return [{ path, change: "edit", after: content, hidden: "It is not a text file now." }];
  return [{ path, change: "edit", before, after: keep === false ? content : keepTextShape(before, content) }];
}

async function lookAtEdit(args: Args, workspace: Workspace): Promise<readonly PreviewedFile[]> {
  const { path = "", edits } = args;
  const written = (edits ?? [args as WrittenEdit]).map((one) => toEdit(one, edits !== undefined));
  return [await edited(path, written, workspace)];
}

async function lookAtDiff({ path = "", diff = "", files }: Args, workspace: Workspace) {
  const all = files ?? [{ path, diff }];
  const made: PreviewedFile[] = [];
  const deadline = performance.now() + longestMs;
  for (const file of all) {
    // A preview is for a person who looks: the calls of everybody else come between.
    await turn();
    const isLate = performance.now() > deadline || workspace.place.signal?.aborted === true;
    made.push(
      isLate
        ? { path: file.path, change: "unknown", hidden: "There was no time to work it out." }
        : await edited(file.path, editsOfBlocks(readBlocks(file.diff).blocks), workspace),
    );
  }
  return made;
}

async function edited(path: string, edits: readonly Edit[], workspace: Workspace): Promise<PreviewedFile> {
  const made = await editFile(workspace, path, edits, undefined);
  if (!made.ok) return { path, change: "unknown", hidden: made.message };
  const { before, after } = made;
  return before === undefined
    ? { path, change: "create", after: after ?? "" }
    : { path, change: "edit", before, after: after ?? "" };
}

async function lookAtPatch({ patch = "" }: Args, workspace: Workspace): Promise<readonly PreviewedFile[]> {
  const unknown = (hidden: string) =>
    pathsInPatch(patch).map((path): PreviewedFile => ({ path, change: "unknown", hidden }));
  if (patch.length > longestPatch) return unknown("The patch is too long to be worked out here.");
  const read = readPatch(patch);
  const places = read.ok ? read.operations.flatMap((one) => (one.kind === "update" ? one.chunks : [])) : [];
  if (places.length > mostPlaces)
    return unknown(`It changes ${places.length} places, too many to be worked out here.`);
  const plan = read.ok
    ? await planPatch(workspace, read.operations)
    : (read as Omit<Failed, "code"> & { ok: false });
  if (!plan.ok) return unknown(plan.message);
  return plan.changes.map(({ path, before, after }): PreviewedFile => {
    const old = before && textOfBytes(before.bytes);
    const fresh = after && textOfBytes(after);
    const change = before === undefined ? "create" : after === undefined ? "delete" : "edit";
    const isOpaque =
      (before !== undefined && old === undefined) || (after !== undefined && fresh === undefined);
    return {
      path,
      change,
      ...(old !== undefined && { before: old }),
      ...(fresh !== undefined && { after: fresh }),
      ...(isOpaque && { hidden: "It is not a text file." }),
    };
  });
}

async function lookAtDelete(
  { path = "" }: Args,
  { files, place }: Workspace,
): Promise<readonly PreviewedFile[]> {
  const old = await files.read(path, place);
  const before = old.ok ? textOfBytes(old.bytes) : undefined;
  if (before !== undefined) return [{ path, change: "delete", before }];
  return [{ path, change: "delete", hidden: old.ok ? "It is not a text file." : old.message }];
}

async function lookAtMove({ from = "", to = "" }: Args): Promise<readonly PreviewedFile[]> {
  return [{ path: from, change: "move", movedTo: to }];
}
