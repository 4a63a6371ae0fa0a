/** What is known of an apply_diff that a model is still writing: its files, and their whole blocks. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { PartialBlock, PartialContext } from "../../../core/tool/tool.ts";
import { readBlocks } from "./patch/blocks.ts";

export interface DiffProgress {
  readonly toolUseId: string;
  readonly sessionId: string | undefined;
  readonly files: readonly FileProgress[];
  readonly complete: boolean;
}

export interface FileProgress {
  /** Undefined while the path itself may still grow. */
  readonly path: string | undefined;
  /** Blocks that will not change any more. */
  readonly blocks: number;
  /** No more blocks will come for this file. */
  readonly complete: boolean;
  readonly problem?: string;
}

export function progressOf(
  { toolUseId, input, complete }: PartialBlock,
  { sessionId }: PartialContext,
): DiffProgress {
  const files = isJsonObject(input) ? filesOf(input, complete) : [];
  return { toolUseId, sessionId, files, complete };
}

function filesOf(input: JsonObject, complete: boolean): FileProgress[] {
  const list = Array.isArray(input.files) ? (input.files as readonly Json[]) : undefined;
  if (list === undefined) return [fileOf(input, complete)];
  return list.map((file, index) =>
    isJsonObject(file)
      ? fileOf(file, complete || index < list.length - 1)
      : { path: undefined, blocks: 0, complete: false },
  );
}

/** Models write the fields in order: what has another field after it is whole. */
function fileOf(file: JsonObject, complete: boolean): FileProgress {
  const names = Object.keys(file);
  const isWhole = (name: string) => complete || names.indexOf(name) < names.length - 1;
  const pathName = names.find((name) => pathNames.has(name));
  const path = pathName !== undefined && isWhole(pathName) ? file[pathName] : undefined;
  const diff = typeof file.diff === "string" ? file.diff : "";
  const { blocks, problem } = readBlocks(diff, { growing: !isWhole("diff") });
  return {
    path: typeof path === "string" ? path : undefined,
    blocks: blocks.length,
    complete: complete && "diff" in file,
    ...(problem !== undefined && { problem }),
  };
}

const pathNames = new Set(["path", "file_path", "filePath", "absolute_path", "target_file"]);
