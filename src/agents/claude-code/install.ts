/** Installs our hooks into Claude Code's settings and takes them out again; needs no `claude` program. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { addHooks, type EditedSettings, removeHooks } from "./edit-settings.ts";
import { chooseHookCommand, isTemporaryCopy, type SetupScope } from "./hook-command.ts";
import { isOurs, listHookEntries, startOfHook } from "./hook-entries.ts";
import { findPlugins } from "./installed-plugins.ts";
import { type ClaudeRequest, findClaudePlaces } from "./places.ts";
import { memberOf, readJsonFile } from "./read-json-file.ts";
import { openSettings, replaceSettings, settingsToText } from "./settings-text.ts";

export interface SetupRequest extends ClaudeRequest {
  readonly projectDir: string;
  readonly scope: SetupScope;
  /** Say what would happen, write nothing. */
  readonly dryRun?: boolean;
}

export interface InstallRequest extends SetupRequest {
  readonly bundle: string;
  readonly execPath: string;
  /** Despite the plugin, or from a temporary copy of toolgate. */
  readonly force?: boolean;
  /** Always a process, also when a server runs. */
  readonly withoutScript?: boolean | undefined;
}

export type SetupResult =
  | {
      readonly ok: true;
      /** As the client names it; links are followed when it is written. */
      readonly file: string;
      readonly isChanged: boolean;
      /** What the client will start. */
      readonly command?: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

export function installClaudeCode(request: InstallRequest): SetupResult {
  const { bundle, force = false } = request;
  if (!existsSync(bundle)) return refuse(`The hook ${bundle} is not there. In a clone, run: npm run build`);
  if (isTemporaryCopy(bundle) && !force)
    return refuse(
      "This toolgate runs from a temporary copy that will be deleted, and then every call would be blocked. Install it first (npm install --global toolgate), or use --force.",
    );
  const plugin = findToolgatePlugin(request);
  if (plugin !== undefined && !force)
    return refuse(
      `The plugin ${plugin} already checks every call; with the hooks in the settings too, each call would be checked twice. Nothing was changed. Keep the plugin, or use --force.`,
    );
  const chosen = chooseHookCommand(request);
  const also = otherPlaces(request);
  const notes = [
    ...chosen.notes,
    ...also.map((file) => `The hooks are also in ${file}; there each call is checked a second time.`),
  ];
  const command = startOfHook(chosen);
  return change(request, { command, notes }, (settings) => addHooks(settings, chosen));
}

export function uninstallClaudeCode(request: SetupRequest): SetupResult {
  const plugin = findToolgatePlugin(request);
  const notes = [
    ...otherPlaces(request).map((file) => `The hooks are still in ${file}.`),
    ...(plugin === undefined ? [] : [`The plugin ${plugin} still checks: claude plugin uninstall ${plugin}`]),
  ];
  return change(request, { notes }, removeHooks);
}

/** The id under which our plugin is switched on. */
export function findToolgatePlugin(request: ClaudeRequest): string | undefined {
  return findPlugins(request).plugins.find(({ id }) => id.startsWith("toolgate@"))?.id;
}

function change(
  request: SetupRequest,
  told: { readonly command?: readonly string[]; readonly notes: readonly string[] },
  edit: (settings: unknown) => EditedSettings,
): SetupResult {
  const file = settingsOf(request);
  const opened = openSettings(file, request.scope === "user" ? undefined : request.projectDir);
  if (!opened.ok) return opened;
  const { settings } = opened;
  const edited = edit(settings.value);
  if (!edited.ok) return refuse(`${file} was not changed: ${edited.message}.`);
  if (edited.isChanged && request.dryRun !== true) {
    const problem = replaceSettings(settings, settingsToText(edited.settings, settings.text));
    if (problem !== undefined) return refuse(problem);
  }
  return { ok: true, file, isChanged: edited.isChanged, ...told };
}

/** Files of other levels that hold our hooks. */
function otherPlaces(request: SetupRequest): string[] {
  const own = settingsOf(request);
  return findClaudePlaces(request)
    .settings.map(({ file }) => file)
    .filter((file) => {
      if (file === own) return false;
      const read = readJsonFile(file);
      return (
        read.state === "read" &&
        listHookEntries(memberOf(read.value, "hooks")).some(({ entry }) => isOurs(entry))
      );
    });
}

function settingsOf({ scope, ...request }: SetupRequest): string {
  const { settings, configDir } = findClaudePlaces(request);
  return settings.find(({ level }) => level === scope)?.file ?? join(configDir, "settings.json");
}

function refuse(message: string): SetupResult {
  return { ok: false, message };
}
