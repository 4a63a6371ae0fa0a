/** Which folders plugin files are loaded from, and what is trusted in each of them. */
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { findProject } from "../config/find-project.ts";
import { type Environment, findFolders } from "../config/folders.ts";
import { isTrusted, readTrust, trustFile } from "../config/trust/trust.ts";
import { chooseSandbox, type SandboxedTool } from "../core/tool/sandbox-rules.ts";
import type { PluginGrade, PluginSurroundings } from "../sources/plugins/load-plugin-file.ts";
import type { PluginFolder } from "../sources/plugins/plugin-folders.ts";
import type { PluginHost } from "../sources/plugins/plugin-set.ts";
import { type LivePlugins, livePlugins } from "./create-plugins.ts";
import { namedFiles, type OpenConfig } from "./open-config.ts";

export type PluginConfig = Pick<OpenConfig, "request" | "folders" | "settings" | "projectDir">;

/** Loads nothing yet. `only`: these files alone, as if they were the user's own. */
export function openPlugins(
  config: PluginConfig,
  host: PluginHost,
  {
    only,
    sandbox,
  }: Pick<PluginSurroundings, "sandbox"> & { readonly only?: readonly string[] | undefined } = {},
): LivePlugins {
  const { state } = config.folders;
  const fromConfig = (tool: SandboxedTool) => chooseSandbox(config.settings.sandbox ?? [], tool);
  return livePlugins(host, {
    folders: () => (only === undefined ? findPluginFolders(config) : onlyThese(only)),
    env: config.request.env,
    hidden: [state],
    sandbox: sandbox ?? fromConfig,
    files: [trustFile(state)],
  });
}

/** For the folders that no file has to name. */
export function usualPluginConfig(cwd: string, env: Environment): PluginConfig {
  const folders = findFolders(env);
  const projectDir = findProject(cwd, folders.home).folder;
  return { request: { cwd, env }, folders, projectDir, settings: { checkDefault: "abstain" } };
}

export interface PlacedFolder extends PluginFolder {
  readonly origin: "admin" | "user" | "environment" | "project";
}

/** Most trusted first: of two tools of one name the first is loaded. */
export function findPluginFolders(config: PluginConfig): PlacedFolder[] {
  const { request, folders, settings, projectDir } = config;
  const trust = readTrust(folders.state);
  const named = (tier: "admin" | "user" | "project") =>
    (settings.pluginFolders ?? []).filter((folder) => folder.tier === tier).map(({ path }) => path);
  const trusted = (): PluginGrade => "trusted";
  /** A project's settings can set a variable: such tools ask each time, until a person trusts the file. */
  const fromEnvironment = (file: string, sha256: string): PluginGrade =>
    isTrusted(trust, file, sha256) ? "trusted" : "limited";
  /** A folder of a project is whatever was cloned: nothing of it runs before a person has looked at it. */
  const fromProject = (file: string, sha256: string): PluginGrade =>
    isTrusted(trust, file, sha256) ? "trusted" : "refused";
  const place = (
    paths: readonly string[],
    origin: PlacedFolder["origin"],
    gradeOf: PluginFolder["gradeOf"],
    required = true,
  ): PlacedFolder[] => paths.map((path) => ({ path, origin, gradeOf, required }));
  const isAlone = namedFiles(request) !== undefined;
  return [
    ...place(named("admin"), "admin", trusted),
    ...place(isAlone ? [] : [join(folders.config, "tools")], "user", trusted, false),
    ...place(named("user"), "user", trusted),
    ...place(isAlone ? [] : environmentFolders(config), "environment", fromEnvironment),
    ...place(named("project"), "project", fromProject),
    ...place(isAlone ? [] : [projectToolsFolder(projectDir)], "project", fromProject, false),
  ];
}

export function projectToolsFolder(projectDir: string): string {
  return join(projectDir, ".toolgate", "tools");
}

function environmentFolders({ request: { env, cwd } }: PluginConfig): string[] {
  const folders = (env.TOOLGATE_TOOLS_DIR ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => resolve(cwd, folder));
}

/** Files that somebody named on a command line, whoever wrote them. */
function onlyThese(files: readonly string[]): PluginFolder[] {
  return files.map((file) => ({ path: dirname(file), only: [basename(file)], gradeOf: () => "trusted" }));
}
