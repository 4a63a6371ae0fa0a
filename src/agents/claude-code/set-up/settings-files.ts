/** Reads all settings files of the client, least important first. */
import { join } from "node:path";
import type { JsonFile } from "../../read-json-file.ts";
import type { Search } from "../doctor/search.ts";
import type { ClaudePlaces, SettingsFile } from "../places.ts";

export interface ReadSettings extends SettingsFile {
  readonly read: JsonFile;
}

const maxManagedFiles = 200;

export function readSettings(places: ClaudePlaces, search: Search): ReadSettings[] {
  const dropped = search
    .list(places.managedFolder, maxManagedFiles)
    .filter((name) => name.endsWith(".json") && !name.startsWith("."))
    .map((name): SettingsFile => ({ level: "managed", file: join(places.managedFolder, name) }));
  return [...places.settings, ...dropped].map((settings) => ({
    ...settings,
    read: search.read(settings.file),
  }));
}

/** For whoever looks for more than settings in them. */
export function describeBroken(settings: readonly ReadSettings[]): string[] {
  return settings.flatMap(({ file, read }) =>
    read.state === "broken" ? [`${file} is skipped: ${read.why}.`] : [],
  );
}
