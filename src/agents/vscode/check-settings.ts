/** What of VS Code's own settings says whether our file is read. */
import { join } from "node:path";
import { parse } from "jsonc-parser";
import type { AgentPlace } from "../agent.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";

/** Of the usual build and of Insiders. */
export function userFolders({ home, env }: AgentPlace): string[] {
  const { XDG_CONFIG_HOME: moved = "", APPDATA: roaming = "" } = env;
  const base =
    process.platform === "darwin"
      ? join(home, "Library", "Application Support")
      : process.platform === "win32" && roaming !== ""
        ? roaming
        : moved.startsWith("/")
          ? moved
          : join(home, ".config");
  return ["Code", "Code - Insiders"].map((name) => join(base, name, "User"));
}

export function checkSettings(place: ProjectPlace): SetupFinding[] {
  const folders = [...userFolders(place), join(place.projectDir, ".vscode")];
  return folders.map((folder) => join(folder, "settings.json")).flatMap(checkFile);
}

function checkFile(file: string): SetupFinding[] {
  const read = readTextFile(file);
  const settings: unknown = read.state === "read" ? parse(read.text) : undefined;
  const locations = memberOf(settings, "chat.hookFilesLocations");
  const isOff = memberOf(settings, "chat.useHooks") === false;
  const closed = [".github/hooks", "~/.copilot/hooks"].filter((name) => memberOf(locations, name) === false);
  return [
    ...(isOff ? [problem("hooks-off", `${file}: chat.useHooks is false.`, "Take it out of the file.")] : []),
    ...closed.map((name) =>
      problem(
        "hooks-off",
        `${file}: chat.hookFilesLocations keeps VS Code from reading ${name}.`,
        "Take it out of the file.",
      ),
    ),
  ];
}
