/** Finds the route files of the plugins that are switched on in Claude Code. */

import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { Search } from "./doctor/search.ts";
import { type FoundPlugin, findPlugins } from "./installed-plugins.ts";
import type { ClaudeRequest } from "./places.ts";
import { memberOf } from "./read-json-file.ts";

export interface PluginRoutes {
  /** In the order in which they are tried; each file once, links followed. */
  readonly files: readonly { readonly file: string; readonly plugin: string }[];
  /** Every file and folder that was looked at, found or not: if none of them changed, looking again finds the same. */
  readonly inputs: readonly string[];
  /** What was expected and is not there, or cannot be read. */
  readonly notes: readonly string[];
}

const maxListed = 100;
const maxManifestBytes = 64 * 1024;

/** Never throws, whatever the client's files hold. */
export function findPluginRoutes(request: ClaudeRequest): PluginRoutes {
  const search = new Search();
  const files = new Map<string, string>();
  for (const plugin of findPlugins(request, search).plugins) {
    for (const file of routeFiles(plugin, search)) {
      if (!files.has(file)) files.set(file, plugin.id);
    }
  }
  return {
    files: [...files].map(([file, plugin]) => ({ file, plugin })),
    inputs: [...search.inputs],
    notes: [...new Set(search.notes)],
  };
}

function routeFiles({ id, root }: FoundPlugin, search: Search): string[] {
  const usual = join(root, "hooks", "tool-routes.yaml");
  const found = [usual]
    .filter((file) => isThere(file, search))
    .flatMap((file) => taken(file, id, root, search));
  for (const listed of listedFiles(id, root, search)) {
    const file = join(root, listed);
    if (isThere(file, search)) found.push(...taken(file, id, root, search));
    else
      search.notes.push(
        `The plugin ${id} lists ${listed} in .claude-plugin/routes.json, but it is not there.`,
      );
  }
  return found;
}

function listedFiles(id: string, root: string, search: Search): string[] {
  const manifest = join(root, ".claude-plugin", "routes.json");
  const value = search.json(manifest, maxManifestBytes);
  if (value === undefined) return [];
  const routes = memberOf(value, "routes");
  if (!Array.isArray(routes)) {
    search.notes.push(`${manifest} is skipped: it must hold {"routes": ["./path/to/tool-routes.yaml"]}.`);
    return [];
  }
  if (routes.length > maxListed)
    search.notes.push(`${manifest} lists ${routes.length} files; only the first ${maxListed} are read.`);
  return routes.slice(0, maxListed).filter((path: unknown): path is string => {
    const isFine = typeof path === "string" && path !== "" && !isAbsolute(path) && !path.includes("\0");
    const stays = isFine && !path.split(/[\\/]/).includes("..");
    if (!stays)
      search.notes.push(
        `The plugin ${id} lists ${JSON.stringify(path)} in .claude-plugin/routes.json: only paths inside the plugin's folder are read.`,
      );
    return stays;
  });
}

/** Only regular files without a link on the way: a plugin's link could make any file of the machine a rule, or change what it names later. */
function taken(file: string, id: string, root: string, search: Search): string[] {
  try {
    const real = realpathSync(file);
    const isOwn = real === file && isInside(real, root);
    if (isOwn && lstatSync(file).isFile()) return [file];
    const why = isOwn ? "it is not a regular file" : "links in a plugin are not followed";
    search.notes.push(`${file} of the plugin ${id} is not read: ${why}.`);
  } catch (error) {
    search.notes.push(
      `${file} of the plugin ${id} is not read (${(error as NodeJS.ErrnoException).code ?? "unknown error"}).`,
    );
  }
  return [];
}

/** A link that leads nowhere is there, too, and gets a note; so does what may not be looked at. */
function isThere(file: string, search: Search): boolean {
  search.inputs.add(file);
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
