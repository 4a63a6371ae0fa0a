/** Looks through the client's settings files for what would switch the hooks off or lead them astray. */
import type { Variables } from "../../agent.ts";
import { memberOf } from "../../read-json-file.ts";
import { ok, problem, type SetupFinding, warning } from "../../setup-finding.ts";
import type { ReadSettings } from "../set-up/settings-files.ts";
import { findDoubtfulFields, findWrongFields } from "../set-up/settings-shape.ts";
import { checkVariables } from "./check-variables.ts";
import { listHookEntries, runsToolgate } from "./hook-entries.ts";

/** `env`: in which this runs, and from which a client may be started. */
export function checkSettings(settings: readonly ReadSettings[], env: Variables): SetupFinding[] {
  const isManaged = settings.some((one) => one.level === "managed" && holdsOurs(one));
  const found = settings.flatMap((one) => [
    ...checkFile(one),
    ...checkSwitches(one, isManaged),
    ...checkVariables(one, env),
  ]);
  if (found.length > 0) return found;
  return [ok("settings", "Nothing in the settings files of Claude Code stands against the hooks.")];
}

function checkFile({ file, read }: ReadSettings): SetupFinding[] {
  if (read.state === "read")
    return [
      ...findWrongFields(read.value).map((why) =>
        problem(
          "settings-valid",
          `${file}: ${why}. Claude Code drops the whole file for it, hooks included.`,
          "Repair it; claude doctor shows what else is wrong.",
        ),
      ),
      ...findDoubtfulFields(read.value).map((why) =>
        warning(
          "settings-doubtful",
          `${file}: ${why}. Claude Code leaves it out, or drops the whole file for it, hooks included.`,
          "Repair it; claude doctor shows whether the file still counts.",
        ),
      ),
    ];
  if (read.state !== "broken" || read.text?.trim() === "") return [];
  return [
    problem(
      "settings-readable",
      `${file}: ${read.why}. Claude Code ignores the whole file, hooks included.`,
      "Repair the file.",
    ),
  ];
}

function holdsOurs({ read }: ReadSettings): boolean {
  const hooks = read.state === "read" ? memberOf(read.value, "hooks") : undefined;
  return listHookEntries(hooks).some(({ event, entry }) => event === "PreToolUse" && runsToolgate(entry));
}

/** `isManaged`: our hook is in the administrator's settings. */
function checkSwitches({ file, level, read }: ReadSettings, isManaged: boolean): SetupFinding[] {
  if (read.state !== "read") return [];
  const found: SetupFinding[] = [];
  if (memberOf(read.value, "disableAllHooks") === true)
    found.push(
      problem(
        "hooks-enabled",
        `${file} says "disableAllHooks": no hook runs, so nothing is checked.`,
        `Remove "disableAllHooks" from ${file}.`,
      ),
    );
  if (!isManaged && level === "managed" && memberOf(read.value, "allowManagedHooksOnly") === true)
    found.push(
      problem(
        "hooks-enabled",
        `${file} says "allowManagedHooksOnly": only hooks of the administrator run, ours do not.`,
        "Ask the administrator to put the hooks of toolgate into the managed settings.",
      ),
    );
  return found;
}
