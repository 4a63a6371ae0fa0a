/** The files of one call: the only way by which the editing tools reach the disk. */
import { sessionOf } from "../../../core/call/session-key.ts";
import type { Failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { FileContents, InsideRoot, Refusal } from "../../../safe/files/inside-root/inside-root.ts";
import { judgedFiles } from "../../../safe/files/workspace-files.ts";
import { textOfBytes } from "./file-text.ts";
import { commit, type FileChange } from "./journal/commit.ts";
import { hashOf } from "./journal/record.ts";
import { recoverJournals } from "./journal/recover.ts";
import type { EditingPorts } from "./ports.ts";

/** Larger files are not edited: nobody who means one line wants ten million bytes read and written. */
export const maxEditBytes = 10 * 1024 * 1024;

export interface Workspace {
  readonly files: InsideRoot;
  /** Where relative paths start, and what ends the work. */
  readonly place: { readonly cwd: string; readonly signal: AbortSignal };
  readonly context: ToolContext;
  readonly ports: EditingPorts;
}

/** A path that a call changes. */
export interface Changed {
  readonly path: string;
  /** A link is meant itself, not what it leads to. */
  readonly link?: true;
}

/** Looks at files and changes them while nobody else in this process changes them, under whatever path. */
export async function inWorkspace<Result>(
  context: ToolContext,
  ports: EditingPorts,
  changed: readonly Changed[],
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace(context, ports);
  const { files } = workspace;
  const { cwd, signal, cancellation = signal } = context;
  const real = changed.map(({ path, link }) => files.leadsTo(path, { cwd, followLast: link !== true }));
  return ports.locks.holding(real, cancellation, () => work(workspace));
}

async function openWorkspace(context: ToolContext, ports: EditingPorts): Promise<Workspace> {
  // What a process that died left half done is undone before anything is built on it.
  await recoverJournals(ports.stateFolder);
  const files = judgedFiles(context, {
    statePaths: [ports.stateFolder],
    maxBytes: maxEditBytes,
    durable: ports.durable !== false,
  });
  const { cwd, signal } = context;
  return { files: ports.temporaries?.of(files) ?? files, place: { cwd, signal }, context, ports };
}

export interface OpenText {
  readonly ok: true;
  readonly file: FileContents;
  readonly text: string;
}

/** The text of a file that is to be changed. */
export async function readText(workspace: Workspace, path: string): Promise<OpenText | Failed> {
  const file = await workspace.files.read(path, workspace.place);
  if (!file.ok) return file.code === "too_large" ? tooLarge(file) : file;
  const text = textOfBytes(file.bytes);
  if (text === undefined) {
    const message = `${JSON.stringify(path)} is not a text file (it holds NUL bytes, as binary files and UTF-16 do). Replace it as a whole with fs.write, or use a command.`;
    return { ok: false, code: "binary", message };
  }
  return { ok: true, file, text };
}

function tooLarge({ path, code }: Refusal): Failed {
  const message = `${JSON.stringify(path)} is larger than ${maxEditBytes / 1024 / 1024} MB; files of that size are not edited here. Use a command such as sed, or work on a smaller file.`;
  return { ok: false, code, message };
}

/** Undefined when the caller may change these contents. */
export function refuseStale(
  { context, ports }: Workspace,
  path: string,
  file: { readonly absolute: string; readonly hash: string },
  expectedHash: string | undefined,
): Failed | undefined {
  const again = "Read it again, then repeat the change.";
  if (expectedHash !== undefined && expectedHash.toLowerCase() !== file.hash) {
    const message = `${JSON.stringify(path)} does not have the expected_sha256: it changed since it was read. ${again}`;
    return { ok: false, code: "stale", message };
  }
  const { seen } = ports;
  if (seen === undefined || context.sessionId === undefined) return undefined;
  const known = seen.hashOf(sessionOf(context), file.absolute);
  if (known === file.hash) return undefined;
  if (known !== undefined) {
    const message = `${JSON.stringify(path)} changed since this session read it. ${again}`;
    return { ok: false, code: "stale", message };
  }
  if (ports.readFirst !== true) return undefined;
  const message = `${JSON.stringify(path)} was not read in this session. Read it first, then repeat the change.`;
  return { ok: false, code: "not_read", message };
}

/** Changes the files, all or none, and notes what the session has seen by that. Undefined: it is done. */
export async function commitChanges(
  workspace: Workspace,
  changes: readonly FileChange[],
  newDirectories: readonly string[],
): Promise<Failed | undefined> {
  const { stateFolder } = workspace.ports;
  const done = await commit(workspace.files, changes, { stateFolder, newDirectories });
  if (!done.ok) return done;
  for (const { absolute, after } of changes)
    if (after !== undefined) noteSeen(workspace, absolute, hashOf(after));
  return undefined;
}

export function noteSeen({ context, ports }: Workspace, absolute: string, hash: string): void {
  if (context.sessionId !== undefined) ports.seen?.note(sessionOf(context), absolute, hash);
}
