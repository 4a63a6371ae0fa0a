/** What switches Copilot's hooks off. */
import { join } from "node:path";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf, readJsonFile } from "../read-json-file.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";
import { copilotHome } from "./places.ts";

export function checkSwitches(place: ProjectPlace): SetupFinding[] {
  const { projectDir } = place;
  // Of these alone it was seen; those of the project count once the folder is trusted.
  const folders = [join(projectDir, ".github", "copilot"), join(projectDir, ".claude")];
  const files = [
    ...folders.flatMap((folder) => [join(folder, "settings.json"), join(folder, "settings.local.json")]),
    join(copilotHome(place), "hooks", "toolgate.json"),
    join(projectDir, ".github", "hooks", "toolgate.json"),
  ];
  return files
    .filter((file) => {
      const read = readJsonFile(file);
      return read.state === "read" && memberOf(read.value, "disableAllHooks") === true;
    })
    .map((file) =>
      problem(
        "hooks-off",
        `${file} says disableAllHooks: Copilot CLI asks nobody before a call.`,
        "Take it out of the file.",
      ),
    );
}
