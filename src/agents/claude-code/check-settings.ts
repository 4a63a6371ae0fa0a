/** Looks through the client's settings files for what would switch the hooks off or lead them astray. */
import { visible } from "../../core/visible.ts";
import type { SetupFinding } from "../setup-finding.ts";
import { listHookEntries, runsToolgate } from "./hook-entries.ts";
import { hookVariables, mayProjectSet } from "./hook-variables.ts";
import { memberOf, membersOf } from "./read-json-file.ts";
import type { ReadSettings } from "./settings-files.ts";
import { findWrongFields } from "./settings-shape.ts";

export function checkSettings(settings: readonly ReadSettings[]): SetupFinding[] {
  const isManaged = settings.some((one) => one.level === "managed" && holdsOurs(one));
  const found = settings.flatMap((one) => [
    ...checkFile(one),
    ...checkSwitches(one, isManaged),
    ...checkVariables(one),
  ]);
  if (found.length > 0) return found;
  return [
    {
      check: "settings",
      level: "ok",
      message: "Nothing in the settings files of Claude Code stands against the hooks.",
    },
  ];
}

function checkFile({ file, read }: ReadSettings): SetupFinding[] {
  if (read.state === "read")
    return findWrongFields(read.value).map((why) => ({
      check: "settings-valid",
      level: "problem",
      message: `${file}: ${why}. Claude Code drops the whole file for it, hooks included.`,
      todo: "Repair it; claude doctor shows what else is wrong.",
    }));
  if (read.state !== "broken" || read.text?.trim() === "") return [];
  return [
    {
      check: "settings-readable",
      level: "problem",
      message: `${file}: ${read.why}. Claude Code ignores the whole file, hooks included.`,
      todo: "Repair the file.",
    },
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
    found.push({
      check: "hooks-enabled",
      level: "problem",
      message: `${file} says "disableAllHooks": no hook runs, so nothing is checked.`,
      todo: `Remove "disableAllHooks" from ${file}.`,
    });
  if (!isManaged && level === "managed" && memberOf(read.value, "allowManagedHooksOnly") === true)
    found.push({
      check: "hooks-enabled",
      level: "problem",
      message: `${file} says "allowManagedHooksOnly": only hooks of the administrator run, ours do not.`,
      todo: "Ask the administrator to put the hooks of toolgate into the managed settings.",
    });
  return found;
}

/** In one's own settings only what is known to lead hooks astray is worth a word; a project's have to be on a list. */
const astray =
  /^(TOOLGATE_.*|XDG_.*|HOME|PATH|NODE_(?!ENV$).*|OPENSSL_.*|LD_.*|DYLD_.*|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|IFS|PS4|ZDOTDIR|SHELL|CLAUDE_(?:CONFIG_DIR|PROJECT_DIR|PLUGIN_ROOT|CODE_SHELL.*|CODE_SESSION_ID))$/i;

/** With these the client leaves its hooks out. */
const withoutHooks = /^CLAUDE_CODE_(?:SIMPLE|SAFE_MODE)$/i;

function checkVariables({ file, level, read }: ReadSettings): SetupFinding[] {
  if (read.state !== "read") return [];
  const isOwn = level === "user" || level === "managed";
  const names = membersOf(memberOf(read.value, "env")).map(([name]) => name);
  const off = names
    .filter((name) => withoutHooks.test(name))
    .map(
      (name): SetupFinding => ({
        check: "hooks-enabled",
        level: "problem",
        message: `${file} sets the variable ${name}, with which Claude Code runs no hooks.`,
        todo: `Remove ${name} from "env" in ${file}.`,
      }),
    );
  const reported = names.filter((name) =>
    isOwn ? astray.test(name) : !mayProjectSet(name) && !withoutHooks.test(name),
  );
  return [...off, ...reported.map((name) => describeVariable(name, file, isOwn))];
}

function describeVariable(name: string, file: string, isOwn: boolean): SetupFinding {
  // A repository chooses the name, too.
  const shown = visible(name, { maxLength: 100 });
  const found = { check: "settings-env", level: isOwn ? "warning" : "problem" } as const;
  if (astray.test(name) || hookVariables.includes(name))
    return {
      ...found,
      message: `${file} sets the variable ${shown}, which can change which rules the hook reads or which program it is.`,
      todo: isOwn
        ? `Keep ${shown} out of "env" unless you need it there.`
        : `Look at it, and remove ${shown} from "env" in ${file}.`,
    };
  return {
    ...found,
    message: `${file} sets the variable ${shown}, which is not known to be harmless: the client hands it to the hook and to the shell that starts it.`,
    todo: `Look at it. If you want it, set it in your own settings or where you start the client, and remove it from ${file}.`,
  };
}
