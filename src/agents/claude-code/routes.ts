/** Finds the route files of the plugins that are switched on in Claude Code. */

import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { AgentPlace, PluginRoutes } from "../agent.ts";
import { memberOf } from "../read-json-file.ts";
import { Search } from "./doctor/search.ts";
import { type FoundPlugin, findPlugins } from "./installed-plugins.ts";
import { describeBroken } from "./set-up/settings-files.ts";

const maxListed = 100;
const maxManifestBytes = 64 * 1024;

export function findRoutes(place: AgentPlace): PluginRoutes {
  const search = new Search();
  const files = new Map<string, string>();
  const { plugins, settings } = findPlugins(place, search);
  for (const plugin of plugins) {
    for (const file of routeFiles(plugin, search)) {
      if (!files.has(file)) files.set(file, plugin.id);
    }
  }
  return {
    files: [...files].map(([file, plugin]) => ({ file, plugin })),
    inputs: [...search.inputs],
    notes: [...new Set([...describeBroken(settings), ...search.notes])],
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

/** Only regular files without a link on the way: a link could make any file of the machine a rule. */
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
