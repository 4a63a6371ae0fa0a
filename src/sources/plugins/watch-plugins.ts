/** Loads plugins again when something changes in their folders. A burst of changes is one reload. */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInputWatch } from "../../safe/files/watch-inputs.ts";
import { isPluginName } from "./plugin-folders.ts";
import type { PluginReport, PluginSet } from "./plugin-set.ts";

export interface PluginWatch extends AsyncDisposable {
  /** Nothing is told any more once it has resolved. */
  close(): Promise<void>;
}

export interface WatchRequest {
  readonly plugins: Pick<PluginSet, "reload">;
  /** They need not exist yet. */
  readonly folders: () => readonly string[];
  /** Single files that matter too, such as the list of trusted files: their folders change all the time. */
  readonly files?: readonly string[];
  /** When the plugins were loaded last, if they were. */
  readonly since?: number | undefined;
  readonly onReload?: (report: PluginReport) => void;
  readonly onError?: (message: string) => void;
}

export function watchPlugins(request: WatchRequest): PluginWatch {
  const { plugins, folders, files = [], since, onReload, onError = () => {} } = request;
  const inputs = () => [...folders().flatMap(withLinks), ...files];
  const closing = new AbortController();
  const watch = createInputWatch(inputs(), onError, {
    since,
    busyFolders: files.map((file) => dirname(file)),
  });
  const done = (async () => {
    using _ = watch;
    for (;;) {
      await watch.nextChange(closing.signal);
      if (closing.signal.aborted) return;
      // First watch what is there now, then read it: a change in between must not be lost.
      watch.follow(inputs());
      const report = await plugins.reload();
      if (!closing.signal.aborted) onReload?.(report);
    }
  })().catch((error: unknown) => onError(`Plugins are not watched any more: ${String(error)}`));
  const close = async () => {
    closing.abort();
    await done;
  };
  return { close, [Symbol.asyncDispose]: close };
}

/** The folder tells about the files in it. What a link leads to changes elsewhere. */
function withLinks(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter(isPluginName);
  } catch {
    return [folder];
  }
  const links = names.map((name) => join(folder, name)).filter(isLink);
  return [folder, ...links];
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
