/** Looks through the client's settings files for what would switch the hooks off or lead them astray. */
import type { SetupFinding } from "../setup-finding.ts";
import { memberOf, membersOf } from "./read-json-file.ts";
import type { ReadSettings } from "./settings-files.ts";

export function checkSettings(settings: readonly ReadSettings[]): SetupFinding[] {
  const found = settings.flatMap((one) => [...checkFile(one), ...checkSwitches(one), ...checkVariables(one)]);
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

function checkSwitches({ file, level, read }: ReadSettings): SetupFinding[] {
  if (read.state !== "read") return [];
  const found: SetupFinding[] = [];
  if (memberOf(read.value, "disableAllHooks") === true)
    found.push({
      check: "hooks-enabled",
      level: "problem",
      message: `${file} says "disableAllHooks": no hook runs, so nothing is checked.`,
      todo: `Remove "disableAllHooks" from ${file}.`,
    });
  if (level === "managed" && memberOf(read.value, "allowManagedHooksOnly") === true)
    found.push({
      check: "hooks-enabled",
      level: "warning",
      message: `${file} says "allowManagedHooksOnly": only hooks of the administrator run.`,
      todo: "Ask the administrator to put the hooks of toolgate into the managed settings.",
    });
  return found;
}

/** Each of them can make the hook read other rules, or be another program: the client hands these variables to it. */
const dangerous = /^(TOOLGATE_.*|XDG_.*|HOME|PATH|NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|CLAUDE_CONFIG_DIR)$/i;

function checkVariables({ file, level, read }: ReadSettings): SetupFinding[] {
  if (read.state !== "read") return [];
  const isOwn = level === "user" || level === "managed";
  return membersOf(memberOf(read.value, "env"))
    .filter(([name]) => dangerous.test(name))
    .map(([name]) => ({
      check: "settings-env",
      level: isOwn ? "warning" : "problem",
      message: `${file} sets the variable ${name}, which can change which rules the hook reads or which program it is.`,
      todo: isOwn
        ? `Keep ${name} out of "env" unless you need it there.`
        : `Look at it, and remove ${name} from "env" in ${file}.`,
    }));
}
