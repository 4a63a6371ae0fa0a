/** What is known about a git subcommand: its options, its operands, what of the repository it meets. */
import type { RepositoryPart } from "../../../core/ports/repository.ts";
import { words } from "../../../core/text/words.ts";
import { type OptionTable, optionTable } from "./option-table.ts";

/**
 * - `revisions`: revisions or paths, whose contents are shown
 * - `names`: paths of which only the names are shown
 * - `read`, `written`: paths
 * - `checked-out`: revisions or paths that are written
 * - `pattern`: a pattern first, then revisions or paths
 * - `remote`: a remote first, then names of branches
 * - `text`: neither a path nor a remote
 */
export type Operands =
  | "revisions"
  | "names"
  | "read"
  | "written"
  | "checked-out"
  | "pattern"
  | "remote"
  | "text";

export interface Description {
  readonly options?: string;
  readonly operands: Operands;
  readonly parts?: string;
  readonly hooks?: string;
  /** `-5` is accepted. */
  readonly numbers?: boolean;
  /** Read by the parser of revisions, where which values may stand apart differs from version to version. */
  readonly ofRevisions?: boolean;
  /** No option of it runs anything, so a word that may be an option does no harm. */
  readonly free?: boolean;
  /** Changes files that it was not given by name. */
  readonly changesFiles?: boolean;
}

export interface Subcommand extends Required<Omit<Description, "options" | "parts" | "hooks">> {
  readonly table: OptionTable;
  readonly parts: readonly RepositoryPart[];
  readonly hooks: readonly string[];
}

export function subcommand({ options = "", parts = "", hooks = "", ...more }: Description): Subcommand {
  return {
    table: optionTable(options),
    parts: split(parts) as RepositoryPart[],
    hooks: split(hooks),
    numbers: false,
    ofRevisions: false,
    free: false,
    changesFiles: false,
    ...more,
  };
}

function split(text: string): readonly string[] {
  return text === "" ? [] : words(text);
}
