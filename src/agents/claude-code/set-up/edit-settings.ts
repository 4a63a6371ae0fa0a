/** Puts our hooks into a settings object or takes them out, and leaves everything else as it is. */
import { isRecord, type JsonObject } from "../../../core/input/json.ts";
import { type HookCommand, isOurs, ourGroups } from "../doctor/hook-entries.ts";
import { memberOf, membersOf } from "../read-json-file.ts";

type Settings = Readonly<Record<string, unknown>>;

export type EditedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly isChanged: boolean }
  | { readonly ok: false; readonly message: string };

/** Doing it again changes nothing. */
export function addHooks(settings: unknown, command: HookCommand): EditedSettings {
  const problem = findProblem(settings);
  if (problem !== undefined || !isRecord(settings)) return { ok: false, message: problem ?? "" };
  const hooks: Record<string, unknown> = { ...recordOf(settings.hooks) };
  for (const [event, group] of Object.entries(ourGroups(command)))
    hooks[event] = withGroup(hooks[event], group);
  return edited(settings, { ...settings, hooks });
}

export function removeHooks(settings: unknown): EditedSettings {
  const problem = findProblem(settings);
  if (problem !== undefined || !isRecord(settings)) return { ok: false, message: problem ?? "" };
  const hooks: Record<string, unknown> = {};
  for (const [event, groups] of membersOf(settings.hooks)) {
    const left = Array.isArray(groups) ? withoutOurs(groups) : groups;
    // An event that was empty before us stays.
    if (!Array.isArray(left) || left.length > 0 || groups === left) hooks[event] = left;
  }
  const { hooks: _, ...rest } = settings;
  const isEmpty = Object.keys(hooks).length === 0 && membersOf(settings.hooks).length > 0;
  return edited(settings, isEmpty || !("hooks" in settings) ? rest : { ...settings, hooks });
}

/** What the client itself would refuse is not ours to repair. */
function findProblem(settings: unknown): string | undefined {
  if (!isRecord(settings)) return "it must hold a JSON object";
  const { hooks } = settings;
  if (hooks === undefined) return undefined;
  if (!isRecord(hooks))
    return '"hooks" must be an object whose keys are events, such as {"PreToolUse": [...]}';
  const wrong = membersOf(hooks).find(([, groups]) => !Array.isArray(groups));
  return wrong === undefined ? undefined : `"hooks.${wrong[0]}" must be a list`;
}

/** Ours keeps its place among the others; a second one goes. */
function withGroup(groups: unknown, ours: JsonObject): unknown[] {
  let isPlaced = false;
  const kept = (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
    const rest = withoutOurs([group]);
    if (rest[0] === group) return [group];
    if (isPlaced || rest.length > 0) return rest;
    isPlaced = true;
    return [ours];
  });
  return isPlaced ? kept : [...kept, ours];
}

/** The very same list if there was nothing of ours in it. */
function withoutOurs(groups: readonly unknown[]): readonly unknown[] {
  const left = groups.flatMap((group) => {
    const hooks = memberOf(group, "hooks");
    if (!Array.isArray(hooks) || !hooks.some(isOurs)) return [group];
    const others = hooks.filter((hook) => !isOurs(hook));
    return others.length === 0 ? [] : [{ ...recordOf(group), hooks: others }];
  });
  return left.length === groups.length && left.every((group, index) => group === groups[index])
    ? groups
    : left;
}

function edited(before: Settings, after: Settings): EditedSettings {
  return { ok: true, settings: after, isChanged: JSON.stringify(before) !== JSON.stringify(after) };
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
