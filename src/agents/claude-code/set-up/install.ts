/** Installs our hooks into Claude Code's settings and takes them out again; needs no `claude` program. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentPlace } from "../../agent.ts";
import type { InstallRequest, SetupRequest, SetupResult } from "../../agent-setup.ts";
import { isOldForm, isOurs, keyOf, lineOfHook, listHookEntries } from "../doctor/hook-entries.ts";
import { findPlugins } from "../installed-plugins.ts";
import { findClaudePlaces } from "../places.ts";
import { memberOf, readJsonFile } from "../read-json-file.ts";
import { addHooks, type EditedSettings, removeHooks } from "./edit-settings.ts";
import { type ChosenCommand, chooseHookCommand, isTemporaryCopy, makeExecutable } from "./hook-command.ts";
import { fitsIntoLine } from "./hook-line.ts";
import { openSettings, replaceSettings, settingsToText } from "./settings-text.ts";

export function installClaudeCode(request: InstallRequest): SetupResult {
  const { bundle, force = false } = request;
  if (!existsSync(bundle)) return refuse(`The hook ${bundle} is not there. In a clone, run: npm run build`);
  if (isTemporaryCopy(bundle) && !force)
    return refuse(
      "This toolgate runs from a temporary copy that will be deleted, and then every call would be blocked. Install it first (npm install --global toolgate), or use --force.",
    );
  const repairs = repairOldEntries(request);
  const plugin = findToolgatePlugin(request);
  if (plugin !== undefined && !force)
    return refuse(
      [
        `The plugin ${plugin} already checks every call; with the hooks in the settings too, each call would be checked twice. Nothing ${repairs.length > 0 ? "else " : ""}was changed. Keep the plugin, or use --force.`,
        ...repairs,
      ].join(" "),
    );
  const also = otherPlaces(request);
  const notes = [
    ...repairs,
    ...also.map((file) => `The hooks are also in ${file}; there each call is checked a second time.`),
  ];
  return putIn(request, notes);
}

/** Dangerous entries of an older toolgate do not wait until somebody installs into their file again. */
function repairOldEntries(request: InstallRequest): string[] {
  const { force = false } = request;
  return (["user", "project", "local"] as const).flatMap((scope) => {
    const there = { ...request, scope };
    // The file in question is written anyway, unless the plugin makes that needless.
    const isNext = scope === request.scope && (force || findToolgatePlugin(request) === undefined);
    const file = settingsOf(there);
    if (isNext || !entriesIn(file).some((entry) => isOurs(entry) && isOldForm(entry))) return [];
    const result = putIn(there, []);
    if (!result.ok)
      return [`Old hook entries that are dangerous in other programs remain: ${result.message}`];
    return [
      `${file} had hook entries that are dangerous in other programs; they ${request.dryRun === true ? "would be" : "were"} replaced.`,
    ];
  });
}

function putIn(request: InstallRequest, notes: readonly string[]): SetupResult {
  const chosen = withKey(chooseHookCommand(request), request);
  const { program, node = "node" } = chosen;
  const odd = [program.path, node].find((path) => !fitsIntoLine(path));
  if (odd !== undefined)
    return refuse(`The path ${JSON.stringify(odd)} cannot stand in a line. Move toolgate elsewhere.`);
  if (request.dryRun !== true) {
    const problem = makeExecutable(program, request.projectDir);
    if (problem !== undefined) return refuse(problem);
  }
  return change(request, { command: lineOfHook(chosen), notes: [...chosen.notes, ...notes] }, (settings) =>
    addHooks(settings, chosen),
  );
}

/** A project's settings are known to everybody, and are to be the same for everybody. */
function withKey(chosen: ChosenCommand, request: InstallRequest): ChosenCommand {
  if (request.scope === "project") return chosen;
  const known = entriesIn(settingsOf(request)).map(keyOf);
  return { ...chosen, key: known.find((key) => key !== undefined) ?? randomBytes(8).toString("hex") };
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
export function findToolgatePlugin(request: AgentPlace): string | undefined {
  return findPlugins(request).plugins.find(({ id }) => id.startsWith("toolgate@"))?.id;
}

function change(
  request: SetupRequest,
  told: { readonly command?: string; readonly notes: readonly string[] },
  edit: (settings: unknown) => EditedSettings,
): SetupResult {
  const file = settingsOf(request);
  const settings = openSettings(file, request.scope === "user" ? undefined : request.projectDir);
  if (typeof settings === "string") return refuse(settings);
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
    .filter((file) => file !== own && entriesIn(file).some(isOurs));
}

function entriesIn(file: string): unknown[] {
  const read = readJsonFile(file);
  return read.state === "read"
    ? listHookEntries(memberOf(read.value, "hooks")).map(({ entry }) => entry)
    : [];
}

function settingsOf({ scope, ...request }: SetupRequest): string {
  const { settings, configDir } = findClaudePlaces(request);
  return settings.find(({ level }) => level === scope)?.file ?? join(configDir, "settings.json");
}

function refuse(message: string): SetupResult {
  return { ok: false, message };
}
