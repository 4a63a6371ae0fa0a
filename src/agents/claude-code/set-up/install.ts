/** Installs our hooks into Claude Code's settings and takes them out again; needs no `claude` program. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentPlace } from "../../agent.ts";
import type { InstallRequest, SetupRequest, SetupResult } from "../../agent-setup.ts";
import { firstMissing } from "../../made-folders.ts";
import { isOldForm, isOurs, keyOf, lineOfHook, listHookEntries, programOf } from "../doctor/hook-entries.ts";
import { findPlugins } from "../installed-plugins.ts";
import { findClaudePlaces } from "../places.ts";
import { memberOf, readJsonFile } from "../read-json-file.ts";
import { addHooks, type EditedSettings, removeHooks } from "./edit-settings.ts";
import { type ChosenCommand, chooseHookCommand, makeExecutable } from "./hook-command.ts";
import { fitsIntoLine } from "./hook-line.ts";
import { newText, openSettings, replaceSettings, type SettingsText } from "./settings-text.ts";
import { describeChange, removeMade, textBefore } from "./written-settings.ts";

export function installClaudeCode(request: InstallRequest): SetupResult {
  const { bundle, force = false } = request;
  if (!existsSync(bundle)) return refuse(`The hook ${bundle} is not there. In a clone, run: npm run build`);
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

/**
 * Entries of an older toolgate that are dangerous, and such as name a hook that is gone and so deny every call, do
 * not wait until somebody installs into their file again.
 */
function repairOldEntries(request: InstallRequest): string[] {
  const { force = false } = request;
  return (["user", "project", "local"] as const).flatMap((scope) => {
    const there = { ...request, scope };
    // The file in question is written anyway, unless the plugin makes that needless.
    const isNext = scope === request.scope && (force || findToolgatePlugin(request) === undefined);
    const file = settingsOf(there);
    const what = isNext ? undefined : whatIsWrong(entriesIn(file));
    if (what === undefined) return [];
    const result = putIn(there, []);
    if (!result.ok) return [`Old hook entries that ${what} remain: ${result.message}`];
    return [
      `${file} had hook entries that ${what}; they ${request.dryRun === true ? "would be" : "were"} replaced.`,
    ];
  });
}

function whatIsWrong(entries: readonly unknown[]): string | undefined {
  const ours = entries.filter(isOurs);
  if (ours.some(isOldForm)) return "are dangerous in other programs";
  // What begins with a variable lies in a project or a plugin, whose owner keeps it in place.
  const isGone = (program: string | undefined) => program?.startsWith("/") === true && !existsSync(program);
  return ours.some((entry) => isGone(programOf(entry)))
    ? "name a hook that is not there any more"
    : undefined;
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
    const problem = write(settings, edited.settings, request);
    if (problem !== undefined) return refuse(problem);
  }
  return { ok: true, file, isChanged: edited.isChanged, ...told };
}

/** What the file was before the first installation is known while nobody else has changed it since. */
function write(settings: SettingsText, value: unknown, { memory }: SetupRequest): string | undefined {
  const { target, text } = settings;
  const earlier = memory?.recall(target);
  const known = earlier === undefined ? false : textBefore(text, earlier);
  const without = removeHooks(settings.value);
  const rest = without.ok ? without.settings : {};
  const hadOurs = entriesOf(settings.value).some(isOurs);
  const before = known !== false ? known : hadOurs ? newText(settings, rest) : text;
  // A file that we made, and that holds nothing of anybody's, goes.
  const isOnlyOurs = hadOurs && (before === undefined || (earlier?.wasMissing === true && isEmpty(rest)));
  if (entriesOf(value).some(isOurs)) {
    const after = newText(settings, value);
    const madeFolder = firstMissing(dirname(target)) ?? earlier?.madeFolder;
    const problem = replaceSettings(settings, after);
    const first = isOnlyOurs ? undefined : before;
    if (problem === undefined) memory?.remember(target, describeChange(first, after, madeFolder));
    return problem;
  }
  const problem = isOnlyOurs
    ? removeMade(settings, earlier?.madeFolder)
    : replaceSettings(settings, before ?? newText(settings, value));
  if (problem === undefined) memory?.remember(target, undefined);
  return problem;
}

function isEmpty(settings: unknown): boolean {
  return Object.keys(settings as object).length === 0;
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
  return read.state === "read" ? entriesOf(read.value) : [];
}

function entriesOf(settings: unknown): unknown[] {
  return listHookEntries(memberOf(settings, "hooks")).map(({ entry }) => entry);
}

function settingsOf({ scope, ...request }: SetupRequest): string {
  const { settings, configDir } = findClaudePlaces(request);
  return settings.find(({ level }) => level === scope)?.file ?? join(configDir, "settings.json");
}

function refuse(message: string): SetupResult {
  return { ok: false, message };
}
