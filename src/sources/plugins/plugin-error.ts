/** Something wrong with a plugin, for its author: which file, which tool, which field, which line. */
import { visible } from "../../core/text/visible.ts";

export interface PluginError {
  /** The file, or a folder that cannot be read. */
  readonly source: string;
  readonly toolName?: string;
  /** `handler.command`. */
  readonly field?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A file that is not loaded although nothing is wrong with it. */
export interface SkippedPlugin {
  readonly file: string;
  readonly why: string;
}

/** `tools/a.json:7:16: tool "x": handler.command: ...` */
export function describePluginError(error: PluginError, shownSource = error.source): string {
  const { toolName, field, line, column, message } = error;
  const place = [shownSource, line, line === undefined ? undefined : column].filter(
    (part) => part !== undefined,
  );
  const about = [toolName === undefined ? undefined : `tool "${toolName}"`, field].filter(
    (part) => part !== undefined,
  );
  return visible([place.join(":"), ...about, message].join(": "));
}
