/** Plugin files that a person may want to trust, and what each of their tools would run. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Ignored } from "../../../../config/loaded-config.ts";
import { isTrusted, readTrust, type TrustedFile } from "../../../../config/trust/trust.ts";
import { isInside } from "../../../../core/input/inside-folder.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { findPluginFolders } from "../../../../open/open-plugins.ts";
import { type ReadFile, readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { loadPluginFile } from "../../../../sources/plugins/load-plugin-file.ts";
import { parsePlugin } from "../../../../sources/plugins/parse-plugin.ts";
import type { PluginError } from "../../../../sources/plugins/plugin-error.ts";
import { isPluginName } from "../../../../sources/plugins/plugin-folders.ts";
import type { PluginFile, PluginHandler } from "../../../../sources/plugins/plugin-format.ts";
import { realPath } from "../../open/real-path.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { Candidate } from "./candidates.ts";

/** `target`: a file, or a folder with such files in it or below; undefined: all of the project. */
export function findPluginFiles(config: OpenConfig, target: string | undefined, io: CliIo): string[] {
  // A relative TOOLGATE_TOOLS_DIR is seen from the current folder, as in every other command.
  const request = { ...config.request, cwd: io.cwd };
  const folders = findPluginFolders({ ...config, request }).filter(
    ({ origin }) => origin === "project" || origin === "environment",
  );
  const files = folders.flatMap(({ path }) => namesIn(path).map((name) => join(path, name)));
  return [...new Set(files)].filter((file) => target === undefined || isInside(file, target));
}

export type PluginCandidate =
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly errors: readonly PluginError[] };

export function toPluginCandidate(
  file: string,
  { folders, request }: OpenConfig,
  pins: readonly TrustedFile[],
): PluginCandidate {
  // Read once: what is shown and pinned is what was checked.
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, errors: [{ source: file, message: read.message }] };
  const readFile = (): ReadFile => read;
  const { errors } = loadPluginFile(file, () => "trusted", { env: request.env, readFile });
  if (errors.length > 0) return { ok: false, errors };
  const { sha256 } = read;
  const pin = pins.find(({ path }) => path === realPath(file));
  const trusted = isTrusted(readTrust(folders.state), file, sha256);
  return {
    ok: true,
    candidate: {
      file,
      sha256,
      trusted,
      changed: pin !== undefined && pin.sha256 !== sha256,
      gains: trusted ? [] : gainsOf(read.text, file),
      isPlugin: true,
    },
  };
}

function gainsOf(text: string, file: string): Ignored[] {
  const { head, tools } = parsePlugin(text, file);
  return tools.map(({ definition, placeOf }) => ({
    file,
    line: placeOf([]).line,
    what: `tool "${definition.name}"`,
    why: describeHandler(definition.handler, head),
  }));
}

function describeHandler(handler: PluginHandler, head: Omit<PluginFile, "tools"> | undefined): string {
  const variables =
    (head?.env ?? []).length === 0 ? "" : `, with ${head?.env?.join(", ")} of your environment`;
  switch (handler.type) {
    case "shell":
      return `runs ${handler.command}${variables}`;
    case "http": {
      const where = head?.allowPrivate === true ? ", private addresses too" : "";
      return `sends ${handler.method ?? "POST"} ${handler.url}${where}${variables}`;
    }
    case "file-read":
      return `reads files below ${handler.basePath}`;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPluginName).sort();
  } catch {
    return [];
  }
}
