/** Which plugins the client has switched on, and the folder from which it really reads each. */

import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { isRecord } from "../../core/input/json.ts";
import type { AgentPlace } from "../agent.ts";
import { memberOf, membersOf } from "../read-json-file.ts";
import { Search } from "./doctor/search.ts";
import { type ClaudePlaces, findClaudePlaces } from "./places.ts";
import { type ReadSettings, readSettings } from "./set-up/settings-files.ts";

export interface FoundPlugin {
  /** `name@marketplace`. */
  readonly id: string;
  /** Links followed. */
  readonly root: string;
}

export interface FoundPlugins {
  readonly plugins: readonly FoundPlugin[];
  readonly settings: readonly ReadSettings[];
}

const maxPlugins = 500;
const maxSkills = 1_000;

/** Plugins that are part of the client or of one session: on disk there is nothing to find. */
const elsewhere = new Set(["builtin", "inline", "synced", "skills-dir"]);

export function findPlugins(request: AgentPlace, search = new Search()): FoundPlugins {
  const places = findClaudePlaces(request);
  const settings = readSettings(places, search);
  const switches = mergeSwitches(settings, search);
  const roots = [
    ...marketplacePlugins(switches, places, search),
    ...skillPlugins(switches, places, search),
    ...ownPlugin(request, search),
  ];
  const plugins = new Map<string, FoundPlugin>();
  for (const { id, root } of roots) {
    const real = realFolder(root, search);
    if (real === undefined)
      search.notes.push(`The plugin ${id} is enabled, but its folder ${root} is not there.`);
    else if (!plugins.has(real)) plugins.set(real, { id, root: real });
  }
  return { plugins: [...plugins.values()], settings };
}

interface Switch {
  readonly isOn: boolean;
  /** The person or the administrator said so, not a file of the repository. */
  readonly byOwner: boolean;
}

function mergeSwitches(settings: readonly ReadSettings[], search: Search): Map<string, Switch> {
  const switches = new Map<string, Switch>();
  for (const { level, file, read } of settings) {
    if (read.state !== "read") continue;
    const byOwner = level === "user" || level === "managed";
    for (const [id, value] of membersOf(memberOf(read.value, "enabledPlugins"))) {
      const isOn = value === true || Array.isArray(value);
      if (!isOn && value !== false)
        search.notes.push(`${file}: enabledPlugins.${id} is neither true nor false.`);
      else {
        const before = switches.get(id);
        if (before?.isOn === true && !isOn && !byOwner)
          search.notes.push(`The plugin ${id} is switched off by ${file}, so its routes do not count here.`);
        switches.set(id, { isOn, byOwner: byOwner || (before?.byOwner === true && before.isOn && isOn) });
      }
    }
  }
  return switches;
}

function marketplacePlugins(
  switches: ReadonlyMap<string, Switch>,
  places: ClaudePlaces,
  search: Search,
): FoundPlugin[] {
  const installed = memberOf(search.json(join(places.pluginsDir, "installed_plugins.json")), "plugins");
  const known = search.json(join(places.pluginsDir, "known_marketplaces.json"));
  const wanted = [...switches]
    .filter(([id, { isOn }]) => isOn && !elsewhere.has(splitId(id).marketplace))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (wanted.length > maxPlugins)
    search.notes.push(`${wanted.length} plugins are enabled; only the first ${maxPlugins} are looked at.`);
  return wanted.slice(0, maxPlugins).flatMap(([id, { byOwner }]) => {
    const entry = pickEntry(memberOf(installed, id), places.projectDir);
    const inPlace = folderInMarketplace(id, known, search);
    if (inPlace.kind === "refused") {
      search.notes.push(`The plugin ${id} is enabled, but ${inPlace.why}.`);
      return [];
    }
    // The client also reads what is enabled and was never installed, if its marketplace is a folder.
    // A repository's settings alone must not make files of its choice count as a plugin of the user's.
    if (entry === undefined && !(byOwner && inPlace.kind === "folder")) {
      search.notes.push(`The plugin ${id} is enabled but not installed here, so its routes do not count.`);
      return [];
    }
    if (inPlace.kind === "folder") return [{ id, root: inPlace.folder }];
    const installPath = memberOf(entry, "installPath");
    if (typeof installPath === "string" && isAbsolute(installPath)) return [{ id, root: installPath }];
    search.notes.push(`The plugin ${id} is installed, but the client has not written down where.`);
    return [];
  });
}

/** The nearest scope wins, as in the client. Entries of other projects are none of ours. */
function pickEntry(entries: unknown, projectDir: string | undefined): unknown {
  if (!Array.isArray(entries)) return undefined;
  const isHere = (entry: unknown) => {
    const path = memberOf(entry, "projectPath");
    return typeof path === "string" && projectDir !== undefined && samePath(path, projectDir);
  };
  for (const scope of ["local", "project", "user", "managed"]) {
    const own = entries.find(
      (entry) =>
        memberOf(entry, "scope") === scope && (scope === "user" || scope === "managed" || isHere(entry)),
    );
    if (own !== undefined) return own;
  }
  return undefined;
}

type InPlace =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "copied" }
  | { readonly kind: "refused"; readonly why: string };

/** Plugins of a marketplace that is a local folder are read from there; the installed copy may be stale. */
function folderInMarketplace(id: string, known: unknown, search: Search): InPlace {
  const { name, marketplace } = splitId(id);
  const market = memberOf(known, marketplace);
  const kind = memberOf(memberOf(market, "source"), "source");
  const location = memberOf(market, "installLocation");
  if ((kind !== "directory" && kind !== "file") || typeof location !== "string" || !isAbsolute(location))
    return { kind: "copied" };
  const manifest = search.json(join(location, ".claude-plugin", "marketplace.json"));
  const plugins = memberOf(manifest, "plugins");
  const listed = Array.isArray(plugins) ? plugins.find((one) => memberOf(one, "name") === name) : undefined;
  if (listed === undefined)
    return { kind: "refused", why: `the marketplace in ${location} does not list it` };
  const source = memberOf(listed, "source");
  // An object names a repository or a package, which the client has copied.
  if (isRecord(source)) return { kind: "copied" };
  const folder = typeof source === "string" ? join(location, underRoot(source, manifest)) : undefined;
  if (folder === undefined || !isInside(folder, location))
    return { kind: "refused", why: `its source leaves the marketplace's folder ${location}` };
  return { kind: "folder", folder };
}

/** A bare name lies under the folder which the marketplace names for that. */
function underRoot(source: string, manifest: unknown): string {
  const base = memberOf(memberOf(manifest, "metadata"), "pluginRoot");
  return typeof base === "string" && /^[A-Za-z0-9][\w.-]*$/.test(source) ? join(base, source) : source;
}

function skillPlugins(
  switches: ReadonlyMap<string, Switch>,
  places: ClaudePlaces,
  search: Search,
): FoundPlugin[] {
  return search.list(places.skillsDir, maxSkills).flatMap((folder) => {
    const root = join(places.skillsDir, folder);
    const manifest = search.json(join(root, ".claude-plugin", "plugin.json"));
    const name = memberOf(manifest, "name");
    if (typeof name !== "string") return [];
    const id = `${name}@skills-dir`;
    return switches.get(id)?.isOn === false ? [] : [{ id, root }];
  });
}

/** The plugin of this very process, also when it was loaded for one session and is written down nowhere. */
function ownPlugin({ env }: AgentPlace, search: Search): FoundPlugin[] {
  const root = env.CLAUDE_PLUGIN_ROOT;
  if (root === undefined || !isAbsolute(root)) return [];
  const name = memberOf(search.json(join(root, ".claude-plugin", "plugin.json")), "name");
  return [{ id: typeof name === "string" ? name : root, root }];
}

function splitId(id: string): { name: string; marketplace: string } {
  const at = id.lastIndexOf("@");
  return at < 0 ? { name: id, marketplace: "" } : { name: id.slice(0, at), marketplace: id.slice(at + 1) };
}

function realFolder(folder: string, search: Search): string | undefined {
  search.inputs.add(folder);
  try {
    return statSync(folder).isDirectory() ? realpathSync(folder) : undefined;
  } catch {
    return undefined;
  }
}

function samePath(one: string, other: string): boolean {
  return one === other || realPath(one) === realPath(other);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
