/** What switches Grok's hooks off. */
import { join } from "node:path";
import type { ProjectPlace } from "../agent-setup.ts";
import { readTextFile } from "../read-json-file.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";
import { grokHome } from "./places.ts";

export function checkSwitches(place: ProjectPlace): SetupFinding[] {
  const file = join(grokHome(place), "disabled-hooks");
  const read = readTextFile(file);
  if (read.state !== "read" || !read.text.includes("toolgate")) return [];
  return [
    problem(
      "hooks-off",
      `${file} names toolgate's hook: Grok does not ask it.`,
      "Switch it on again at /hooks in a session of Grok, or take it out of the file.",
    ),
  ];
}
