/** Looks for what makes Gemini CLI leave our hooks out, or change a call after they looked at it. */
import type { ProjectPlace } from "../agent-setup.ts";
import { checkEnvFiles } from "../gemini-family/env-files.ts";
import { trustOf } from "../gemini-family/folder-trust.ts";
import { lastSaid, type ReadFile, readSettings } from "../gemini-family/settings-files.ts";
import { memberOf, membersOf } from "../read-json-file.ts";
import { ourWords } from "../set-up/hook-lines.ts";
import { info, problem, type SetupFinding, warning } from "../setup-finding.ts";
import { family, trustForm } from "./places.ts";

export function checkSettings(place: ProjectPlace): SetupFinding[] {
  const files = readSettings(family, place);
  return [
    ...checkSwitch(files),
    ...files.flatMap(findDisabled),
    ...checkTrust(place),
    ...files.flatMap(findBeside),
    ...checkEnvFiles(family, place),
  ];
}

function checkSwitch(files: readonly ReadFile[]): SetupFinding[] {
  const said = lastSaid(files, ["hooksConfig", "enabled"]);
  if (said === undefined || said.value === true) return [];
  const { file } = said.file;
  return [
    problem(
      "hooks-enabled",
      `${file} says "hooksConfig.enabled": no hook runs, so nothing is checked.`,
      `Remove "enabled" from "hooksConfig" in ${file}.`,
    ),
  ];
}

/** The lists of all files count together. Ours has no name, so its line stands for it. */
function findDisabled({ file, value }: ReadFile): SetupFinding[] {
  const list = memberOf(memberOf(value, "hooksConfig"), "disabled");
  const isOurs = (line: unknown) => ourWords(line, "gemini") !== undefined;
  if (!Array.isArray(list) || !list.some(isOurs)) return [];
  return [
    problem(
      "hooks-enabled",
      `${file} lists toolgate's hook in "hooksConfig.disabled": it does not run.`,
      `Remove it from "hooksConfig.disabled" in ${file}, or run: gemini, then /hooks enable-all`,
    ),
  ];
}

/** Of a folder that is not trusted it drops all hooks, those in the person's own settings, too. */
function checkTrust(place: ProjectPlace): SetupFinding[] {
  switch (trustOf(trustForm, place)) {
    case "trusted":
      return [];
    case "not trusted":
      return [
        problem(
          "folder-trust",
          `Gemini CLI was told not to trust ${place.projectDir}: there it runs no hooks at all, and asks before each call by itself.`,
          "Look at every call that it shows you, or trust the folder: gemini, then /permissions",
        ),
      ];
    case "not said":
      return [
        info(
          "folder-trust",
          `Nobody has told Gemini CLI whether to trust ${place.projectDir}: it asks when it is started, and without a person it does not start.`,
        ),
      ];
  }
}

/** All hooks are asked at the same time; what another one changes, ours has never seen. */
function findBeside({ file, level, value }: ReadFile): SetupFinding[] {
  const groups = memberOf(memberOf(value, "hooks"), "BeforeTool");
  const entries = (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
    const hooks = memberOf(group, "hooks");
    return Array.isArray(hooks) ? (hooks as unknown[]) : [];
  });
  const others = entries.filter((entry) =>
    membersOf(entry).every(([, line]) => ourWords(line, "gemini") === undefined),
  );
  if (level !== "project" || others.length === 0) return [];
  return [
    warning(
      "hook-beside",
      `${file} has hooks of its own that can change a call after toolgate has looked at it.`,
      "Look at what they do.",
    ),
  ];
}
