/** What a patch asks for, whatever its format. */

export interface PatchLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

/** One place of a file that changes. */
export interface Chunk {
  readonly lines: readonly PatchLine[];
  /** Lines that stand somewhere above, the outer one first. */
  readonly anchors: readonly string[];
  /** The first old line, from 1, if the patch says it. */
  readonly oldStart?: number;
  /** The last of these lines is the last of the file. */
  readonly atEnd: boolean;
  /** What a unified diff says about a missing break at the end; undefined: nothing. */
  readonly oldEndsBare?: boolean;
  readonly newEndsBare?: boolean;
}

export type PatchOperation =
  | { readonly kind: "add"; readonly path: string; readonly text: string; readonly mode?: number }
  /** With `text`, only if the file holds exactly that. */
  | { readonly kind: "delete"; readonly path: string; readonly text?: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly chunks: readonly Chunk[];
      /** The file gets this path; with `keep`, it is copied there. */
      readonly moveTo?: string;
      readonly keep?: boolean;
    };

export type ReadPatch =
  | { readonly ok: true; readonly operations: readonly PatchOperation[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

export function wrongAt(line: number, what: string): ReadPatch {
  return { ok: false, message: `Line ${line + 1} of the patch: ${what}` };
}

/** A line of the patch, for a message. */
export function quote(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
}

export function pathsOf(operation: PatchOperation): readonly string[] {
  return operation.kind === "update" && operation.moveTo !== undefined
    ? [operation.path, operation.moveTo]
    : [operation.path];
}
