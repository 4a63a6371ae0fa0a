/** Installs our hooks into Claude Code's settings and takes them out again; needs no `claude` program. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentPlace } from "../../agent.ts";
import type { InstallRequest, SetupRequest, SetupResult } from "../../agent-setup.ts";
import { memberOf, readJsonFile } from "../../read-json-file.ts";
import { putParts, takeParts } from "../../set-up/change-files.ts";
import { chooseHookCommand } from "../../set-up/hook-command.ts";
import { explainNoBundle, prepareProgram, withKey } from "../../set-up/set-up-agent.ts";
import { isOldForm, isOurs, keyOf, listHookEntries, programOf } from "../doctor/hook-entries.ts";
import { findPlugins } from "../installed-plugins.ts";
import { findClaudePlaces } from "../places.ts";
import { settingsPart } from "./settings-part.ts";

export function installClaudeCode(request: InstallRequest): SetupResult {
  const { bundle, force = false } = request;
  if (!existsSync(bundle)) return refuse(explainNoBundle(bundle));
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
  const file = settingsOf(request);
  const known = entriesIn(file)
    .map(keyOf)
    .filter((key) => key !== undefined);
  const chosen = withKey(chooseHookCommand(request, "CLAUDE_PROJECT_DIR"), request, known);
  const problem = prepareProgram(chosen, request);
  if (problem !== undefined) return refuse(problem);
  const done = putParts(request, [settingsPart(file)], chosen);
  if (!done.ok) return done;
  const command = done.lines.find(({ isBefore }) => isBefore)?.line;
  return {
    ok: true,
    files: done.files,
    ...(command !== undefined && { command }),
    notes: [...chosen.notes, ...notes],
  };
}

export function uninstallClaudeCode(request: SetupRequest): SetupResult {
  const plugin = findToolgatePlugin(request);
  const notes = [
    ...otherPlaces(request).map((file) => `The hooks are still in ${file}.`),
    ...(plugin === undefined ? [] : [`The plugin ${plugin} still checks: claude plugin uninstall ${plugin}`]),
  ];
  const done = takeParts(request, [settingsPart(settingsOf(request))]);
  return done.ok ? { ok: true, files: done.files, notes } : done;
}

/** The id under which our plugin is switched on. */
export function findToolgatePlugin(request: AgentPlace): string | undefined {
  return findPlugins(request).plugins.find(({ id }) => id.startsWith("toolgate@"))?.id;
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
  if (read.state !== "read") return [];
  return listHookEntries(memberOf(read.value, "hooks")).map(({ entry }) => entry);
}

function settingsOf({ scope, ...request }: SetupRequest): string {
  const { settings, configDir } = findClaudePlaces(request);
  return settings.find(({ level }) => level === scope)?.file ?? join(configDir, "settings.json");
}

function refuse(message: string): SetupResult {
  return { ok: false, message };
}
