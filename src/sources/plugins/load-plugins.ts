/** Loads every plugin file of every folder. What has not changed since last time is not read again. */
import {
  type LoadedPluginTool,
  loadPluginFile,
  type PluginFileLoad,
  type PluginSurroundings,
} from "./load-plugin-file.ts";
import type { PluginError, SkippedPlugin } from "./plugin-error.ts";
import { type FileIdentity, findPluginFiles, type PluginFolder } from "./plugin-folders.ts";

export interface PluginLoad {
  /** No two of one name. */
  readonly tools: readonly LoadedPluginTool[];
  /** Every error of every file, in the order of the files. */
  readonly errors: readonly PluginError[];
  readonly warnings: readonly PluginError[];
  readonly skipped: readonly SkippedPlugin[];
  /** Files with errors that changed a moment ago: perhaps still being written. Until then the old counts. */
  readonly unfinished: readonly string[];
  /** For the next time. */
  readonly known: KnownFiles;
}

/** By path. */
export type KnownFiles = ReadonlyMap<string, KnownFile>;

interface KnownFile {
  readonly key: string | undefined;
  /** Read long enough after its last change that another change must show. */
  readonly settled: boolean;
  readonly load: PluginFileLoad;
  /** What counted last; it goes on to count while somebody is still writing the file. */
  readonly counted: PluginFileLoad | undefined;
}

export interface LoadRequest extends PluginSurroundings {
  readonly folders: readonly PluginFolder[];
  readonly known?: KnownFiles;
  /** How long after a change a file with errors may count as unfinished. */
  readonly settleMs?: number;
}

/** File systems count time in ticks: two changes within one of them look the same. */
const tickMs = 20;

export function loadPlugins(request: LoadRequest): PluginLoad {
  const { folders, known = new Map<string, KnownFile>(), settleMs = 0 } = request;
  const found = findPluginFiles(folders);
  const next = new Map<string, KnownFile>();
  const merge = new Merge(found.errors);
  const unfinished: string[] = [];
  const now = Date.now();
  for (const { file, folder, identity } of found.files) {
    const before = known.get(file);
    const same = before?.settled === true && before.key !== undefined && before.key === identity?.key;
    const sha256 = before?.load.sha256;
    const load =
      same && sha256 !== undefined && before.load.grade === folder.gradeOf(file, sha256)
        ? before.load
        : loadPluginFile(file, (hash) => folder.gradeOf(file, hash), request);
    const isUnfinished =
      load.errors.length > 0 && load.sha256 !== undefined && !isOlder(identity, now, settleMs);
    const counted = isUnfinished ? before?.counted : load;
    next.set(file, { key: identity?.key, settled: isOlder(identity, now, tickMs), load, counted });
    if (isUnfinished) unfinished.push(file);
    if (counted !== undefined) merge.add(file, counted);
  }
  const { tools, errors, warnings, skipped } = merge;
  return { tools: [...tools.values()], errors, warnings, skipped, unfinished, known: next };
}

function isOlder(identity: FileIdentity | undefined, now: number, ms: number): boolean {
  return identity === undefined || Math.abs(now - identity.changedAtMs) > ms;
}

/** The first tool of a name is loaded, the others are errors: nobody takes a name over. */
class Merge {
  readonly tools = new Map<string, LoadedPluginTool>();
  readonly errors: PluginError[];
  readonly warnings: PluginError[] = [];
  readonly skipped: SkippedPlugin[] = [];

  constructor(errors: readonly PluginError[]) {
    this.errors = [...errors];
  }

  add(file: string, { tools, errors, warnings, grade }: PluginFileLoad): void {
    const why = "it belongs to a project and is not trusted, or has changed since it was";
    if (grade === "refused") this.skipped.push({ file, why });
    this.errors.push(...errors);
    this.warnings.push(...warnings);
    for (const loaded of tools) {
      const { id } = loaded.tool;
      const first = this.tools.get(id);
      if (first === undefined) this.tools.set(id, loaded);
      else this.errors.push(takenError(loaded, `the plugin file ${first.file}:${first.place.line}`));
    }
  }
}

export function takenError({ tool, file, place }: LoadedPluginTool, holder: string): PluginError {
  return {
    source: file,
    toolName: tool.id,
    field: "name",
    ...place,
    message: `The name is taken by ${holder}; choose another one.`,
  };
}
