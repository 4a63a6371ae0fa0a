/** Looks for what makes Qwen Code leave our hooks out. */
import type { ProjectPlace } from "../agent-setup.ts";
import { checkEnvFiles } from "../gemini-family/env-files.ts";
import { lastSaid, readSettings } from "../gemini-family/settings-files.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";
import { family } from "./places.ts";

export function checkSettings(place: ProjectPlace): SetupFinding[] {
  const said = lastSaid(readSettings(family, place), ["disableAllHooks"]);
  const isOff = said !== undefined && said.value !== false;
  return [
    ...(isOff
      ? [
          problem(
            "hooks-enabled",
            `${said.file.file} says "disableAllHooks": no hook runs, so nothing is checked.`,
            `Remove "disableAllHooks" from ${said.file.file}.`,
          ),
        ]
      : []),
    ...checkEnvFiles(family, place),
  ];
}
