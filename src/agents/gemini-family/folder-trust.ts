/** Whether a person told the agent to trust a folder: in `trustedFolders.json`, for the folder or one above it. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import { membersOf } from "../read-json-file.ts";
import { type Family, lastSaid, readSettings, readSettingsFile } from "./settings-files.ts";

export type Trust = "trusted" | "not trusted" | "not said";

export interface TrustForm {
  readonly family: Family;
  /** A variable that names another file. */
  readonly variable: string;
  /** Whether the agent asks at all where its settings say nothing of it. */
  readonly isUsual: boolean;
}

/** The longest path counts. A folder that nobody spoke of is asked about; without a person that is a no. */
export function trustOf({ family, variable, isUsual }: TrustForm, place: ProjectPlace): Trust {
  const isOn =
    lastSaid(readSettings(family, place), ["security", "folderTrust", "enabled"])?.value ?? isUsual;
  if (isOn !== true) return "trusted";
  const file = place.env[variable] || join(family.configDir(place), "trustedFolders.json");
  const here = realOf(place.projectDir);
  const rules = membersOf(readSettingsFile(file))
    .map(([path, level]) => ({
      folder: level === "TRUST_PARENT" ? dirname(realOf(path)) : realOf(path),
      level,
    }))
    .filter(({ folder }) => isInside(here, folder))
    .sort((one, other) => other.folder.length - one.folder.length);
  const [rule] = rules;
  if (rule === undefined) return "not said";
  return rule.level === "TRUST_FOLDER" || rule.level === "TRUST_PARENT" ? "trusted" : "not trusted";
}

/** Files of the project that the agent acts on, unless the person trusts the folder. */
export function findUntrusted(form: TrustForm, place: ProjectPlace): string[] {
  const { folder } = form.family;
  const names = [join(folder, "settings.json"), join(folder, ".env"), ".env"];
  const found = names.map((name) => join(place.projectDir, name)).filter((file) => existsSync(file));
  return found.length === 0 || trustOf(form, place) === "trusted" ? [] : found;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
