/**
 * File operations that cannot leave a set of root directories: every one acts on a handle that was reached
 * link by link from a root, never on a path that was checked a moment ago.
 */
import { appendInside } from "./append.ts";
import { type LeadsToOptions, leadsToInside } from "./leads-to.ts";
import { type Listing, type ListOptions, listInside } from "./list.ts";
import { type MadeDirectory, type MkdirOptions, mkdirInside } from "./mkdir.ts";
import { type Moved, type MoveOptions, moveInside } from "./move.ts";
import { type FileContents, type FileRange, type ReadOptions, readInside, readRangeInside } from "./read.ts";
import type { Refusal } from "./refusal.ts";
import { type Removed, type RemoveOptions, removeInside } from "./remove.ts";
import { type Scanned, type ScanOptions, scanInside, type TakePiece } from "./scan.ts";
import { createScope, type InsideRootOptions } from "./scope.ts";
import { type FileFacts, type StatOptions, statInside } from "./stat.ts";
import { type TreeVisit, type TreeVisitor, type VisitOptions, visitTreeInside } from "./visit-tree.ts";
import { type WriteOptions, type Written, writeInside } from "./write.ts";

export interface InsideRoot {
  /** Real paths, links followed. */
  readonly roots: readonly string[];
  /** True where no swap of links or directories by another process can lead an operation astray (Linux). */
  readonly raceFree: boolean;
  read(path: string, options?: ReadOptions): Promise<FileContents | Refusal>;
  readRange(
    path: string,
    range: { readonly offset: number; readonly limit: number },
    options?: ReadOptions,
  ): Promise<FileRange | Refusal>;
  /** For files of any size: never more than a piece of it is held. */
  scan(path: string, take: TakePiece, options?: ScanOptions): Promise<Scanned | Refusal>;
  write(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<Written | Refusal>;
  append(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<Written | Refusal>;
  list(path: string, options?: ListOptions): Promise<Listing | Refusal>;
  /** The tree below a directory in the order of names, nothing of it held. */
  visitTree(path: string, visitor: TreeVisitor, options?: VisitOptions): Promise<TreeVisit | Refusal>;
  stat(path: string, options?: StatOptions): Promise<FileFacts | Refusal>;
  remove(path: string, options?: RemoveOptions): Promise<Removed | Refusal>;
  move(from: string, to: string, options?: MoveOptions): Promise<Moved | Refusal>;
  /** The real path that this one leads to now. Two paths of one file have the same. Refuses nothing. */
  leadsTo(path: string, options?: LeadsToOptions): string;
  mkdir(path: string, options?: MkdirOptions): Promise<MadeDirectory | Refusal>;
}

/** Throws when the roots cannot be used; after that, every refusal is a value. */
export function createInsideRoot(options: InsideRootOptions): InsideRoot {
  const scope = createScope(options);
  return Object.freeze({
    roots: Object.freeze(scope.roots.map((root) => root.real)),
    raceFree: scope.grips.raceFree,
    read: (path, more) => readInside(scope, path, more),
    readRange: (path, range, more) => readRangeInside(scope, path, range, more),
    scan: (path, take, more) => scanInside(scope, path, take, more),
    write: (path, data, more) => writeInside(scope, path, data, more),
    append: (path, data, more) => appendInside(scope, path, data, more),
    list: (path, more) => listInside(scope, path, more),
    visitTree: (path, visitor, more) => visitTreeInside(scope, path, visitor, more),
    stat: (path, more) => statInside(scope, path, more),
    remove: (path, more) => removeInside(scope, path, more),
    move: (from, to, more) => moveInside(scope, from, to, more),
    leadsTo: (path, more = {}) => leadsToInside(scope, path, more),
    mkdir: (path, more) => mkdirInside(scope, path, more),
  } satisfies InsideRoot);
}

export type { ListEntry, Listing, ListOptions } from "./list.ts";
export type { MadeDirectory, MkdirOptions } from "./mkdir.ts";
export type { Moved, MoveOptions } from "./move.ts";
export type { Access } from "./protected-names.ts";
export type { FileContents, FileRange, ReadOptions } from "./read.ts";
export type { Refusal, RefusalCode } from "./refusal.ts";
export type { Removed, RemoveOptions } from "./remove.ts";
export type { Scanned, ScanOptions, TakePiece } from "./scan.ts";
export type { InsideRootOptions } from "./scope.ts";
export type { FileFacts, StatOptions } from "./stat.ts";
export { keepTextShape } from "./text-shape.ts";
export type { EntryKind } from "./tree.ts";
export type { TreeVisit, TreeVisitor, VisitedEntry, VisitOptions } from "./visit-tree.ts";
export { temporaryFileName, type WriteOptions, type Written } from "./write.ts";
