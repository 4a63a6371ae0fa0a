/** Which project a call belongs to, and where its files would be. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { WantedSource } from "./load-config.ts";

export interface Project {
  readonly folder: string;
  /** Every path whose appearance would make another folder the project. */
  readonly inputs: readonly string[];
}

/** The nearest folder with rules, up to the repository's root. Without any: the repository, or the folder. */
export function findProject(start: string, home: string): Project {
  const inputs: string[] = [];
  const from = resolve(start);
  let repository: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    // The home folder and what is above it belong to nobody's project.
    if (folder === home || folder === dirname(folder)) break;
    const files = projectFiles(folder);
    inputs.push(...files, join(folder, ".git"));
    if (files.some((file) => existsSync(file))) return { folder, inputs };
    if (existsSync(join(folder, ".git"))) {
      repository = folder;
      break;
    }
  }
  const folder = repository ?? from;
  inputs.push(...projectFiles(folder));
  return { folder, inputs: [...new Set(inputs)] };
}

export function projectSources(folder: string): WantedSource[] {
  return projectFiles(folder).map((file) => ({
    file,
    origin: "project",
    tier: "project",
    within: folder,
    kind: file.includes("tool-routes") ? "routes" : "config",
  }));
}

/** Both spellings are read: rules in a file that is ignored would silently not hold. */
function projectFiles(folder: string): string[] {
  return ["toolgate.yaml", "toolgate.yml", ".claude/tool-routes.yaml", ".claude/tool-routes.yml"].map(
    (name) => join(folder, name),
  );
}
