/** What the editing tools are given from outside. */
import type { PathLocks } from "../../../safe/files/path-locks.ts";
import type { Temporaries } from "./journal/temporaries.ts";
import type { DiffProgress } from "./partial-diff.ts";
import type { SeenFiles } from "./seen-files.ts";

export interface EditingPorts {
  /** Absolute, outside of every workspace: the folder of the journal. Made if missing, for its owner only. */
  readonly stateFolder: string;
  /** What sessions have read. With it, a file that changed since is not written over. */
  readonly seen?: SeenFiles;
  /** Refuse to change a file that the session has not read. Needs `seen`. Default false. */
  readonly readFirst?: boolean;
  /** Shared by all who change files in this process: the second session works on what the first made. */
  readonly locks: PathLocks;
  /** Told while a model is still writing the blocks of an apply_diff; nothing is touched for it. */
  readonly onDiffProgress?: (progress: DiffProgress) => void;
  /** Wait until writes are on the disk. Default true. */
  readonly durable?: boolean;
  /** Names of files that are filled first. Default: random ones, which nobody finds after a crash. */
  readonly temporaries?: Temporaries;
}
