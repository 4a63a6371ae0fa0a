/** May the client be started in a folder? A repository's files start programs; `claude -p` asks nobody. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf } from "../read-json-file.ts";
import { findClaudePlaces, readClientState } from "./places.ts";

/** Files of the project that the client acts on, if the person has never said that they trust the folder. */
export function findUntrustedFiles(request: ProjectPlace): string[] {
  const { projectDir } = request;
  const { settings } = findClaudePlaces(request);
  const own = settings.filter(({ level }) => level === "user").map(({ file }) => file);
  const found = [
    ...settings.filter(({ level }) => level === "project" || level === "local").map(({ file }) => file),
    join(projectDir, ".mcp.json"),
  ].filter((file) => !own.includes(file) && existsSync(file));
  return found.length === 0 || isTrusted(request) ? [] : found;
}

/** The person's answer to the client's own question, for this folder or one above it. */
function isTrusted(place: ProjectPlace): boolean {
  const projects = memberOf(readClientState(place), "projects");
  for (let folder = place.projectDir; ; folder = dirname(folder)) {
    if (memberOf(memberOf(projects, folder), "hasTrustDialogAccepted") === true) return true;
    if (folder === dirname(folder)) return false;
  }
}
