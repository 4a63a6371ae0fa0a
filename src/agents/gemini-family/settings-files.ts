/** The settings files of Gemini CLI, and of Qwen Code, which was made out of it: where they are, and what counts. */
import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";

export interface Family {
  readonly title: string;
  /** In a project, and in the home: `.gemini`. */
  readonly folder: string;
  /** The person's own folder. */
  configDir(place: Pick<ProjectPlace, "home" | "env">): string;
  /** Where an administrator's files are, in `/etc` or its like. */
  readonly systemFolder: { readonly linux: string; readonly darwin: string; readonly win32: string };
  /** Variables that name the administrator's files instead. */
  readonly systemVariables: { readonly defaults: string; readonly settings: string };
}

export type Level = "defaults" | "user" | "project" | "system";

export interface ReadFile {
  readonly level: Level;
  readonly file: string;
  /** Undefined: there is none, or it cannot be read. */
  readonly value: unknown;
}

/** The person's own file, or the one of the project. */
export function settingsFile(family: Family, place: ProjectPlace, level: "user" | "project"): string {
  const folder = level === "project" ? join(place.projectDir, family.folder) : family.configDir(place);
  return join(folder, "settings.json");
}

/** Least important first. */
export function readSettings(family: Family, place: ProjectPlace): ReadFile[] {
  const { env, managedDir = systemDir(family) } = place;
  const { defaults, settings } = family.systemVariables;
  const files: readonly (readonly [Level, string])[] = [
    ["defaults", env[defaults] || join(managedDir, "system-defaults.json")],
    ["user", settingsFile(family, place, "user")],
    ["project", settingsFile(family, place, "project")],
    ["system", env[settings] || join(managedDir, "settings.json")],
  ];
  // Started in the home, the person's file is all there is.
  const own = files.filter(
    ([level, file]) =>
      level !== "project" || !files.some((other) => other[0] === "user" && other[1] === file),
  );
  return own.map(([level, file]) => ({ level, file, value: readSettingsFile(file) }));
}

/** What counts: the last file that says it. */
export function lastSaid(
  files: readonly ReadFile[],
  path: readonly string[],
): { readonly file: ReadFile; readonly value: unknown } | undefined {
  const said = files.map((file) => ({ file, value: path.reduce(memberOf, file.value) }));
  return said.findLast(({ value }) => value !== undefined);
}

/** With comments, as the agents take it. */
export function readSettingsFile(file: string): unknown {
  const read = readTextFile(file);
  if (read.state !== "read") return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(read.text.replace(/^\ufeff/, ""), errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

function systemDir({ systemFolder }: Family): string {
  const { platform } = process;
  return platform === "darwin" || platform === "win32" ? systemFolder[platform] : systemFolder.linux;
}
