/**
 * The file with variables that the agent loads from a project that it trusts, and hands to its hooks: those that
 * lead a hook to other rules, or take its place.
 */
import { join } from "node:path";
import type { ProjectPlace } from "../agent-setup.ts";
import { readTextFile } from "../read-json-file.ts";
import { problem, type SetupFinding } from "../setup-finding.ts";
import type { Family } from "./settings-files.ts";

const astray =
  /^(?:XDG_\w+|TOOLGATE_\w+|LD_\w+|DYLD_\w+|BASH_\w+|BASHOPTS|SHELLOPTS|NODE_OPTIONS|HOME|PATH|SHELL)$/;

/**
 * For the entries of our hooks: what counts in the loader and in the shell, before anything of ours does. A value in
 * an entry wins over what the project says.
 */
export const harmlessStart: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "BASH_ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "LD_PRELOAD",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
  ].map((name) => [name, ""]),
);

export function checkEnvFiles({ title, folder }: Family, { projectDir }: ProjectPlace): SetupFinding[] {
  const files = [join(projectDir, folder, ".env"), join(projectDir, ".env")];
  return files.flatMap((file) =>
    namesIn(file)
      .filter((name) => astray.test(name) && !Object.hasOwn(harmlessStart, name))
      .map((name) =>
        problem(
          "settings-env",
          `${file} sets the variable ${name}, which ${title} hands to the hook: it can change which rules the hook reads or which program it is.`,
          `Look at it, and remove ${name} from ${file}.`,
        ),
      ),
  );
}

function namesIn(file: string): string[] {
  const read = readTextFile(file);
  if (read.state !== "read") return [];
  return [...read.text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*[=:]/gm)].map(([, name = ""]) => name);
}
