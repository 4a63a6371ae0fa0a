/** A package that the checks need and that is too heavy for a dev dependency: installed once, in `.agents/<folder>`, without its scripts. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
}

export type Installed = { readonly program: string } | { readonly problem: string };

export function agentFolder(name: string): string {
  return resolve(import.meta.dirname, "../../.agents", name);
}

/** Where the package is and what it says of itself, if the right version of it is there. */
export function findPackage<About extends object>(
  folder: string,
  { name, version }: NpmPackage,
): { readonly home: string; readonly about: About } | undefined {
  const home = join(folder, "node_modules", name);
  const file = join(home, "package.json");
  if (!existsSync(file)) return undefined;
  const about = JSON.parse(readFileSync(file, "utf8")) as About & { readonly version: string };
  return about.version === version ? { home, about } : undefined;
}

/** Downloads it unless `find` finds it. `problem`: what npm said. */
export function installPackage(
  folder: string,
  { name, version }: NpmPackage,
  find: () => string | undefined,
  ...options: readonly string[]
): Installed {
  const present = find();
  if (present !== undefined) return { program: present };
  try {
    const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...options];
    execFileSync("npm", ["install", ...quiet, "--prefix", folder, `${name}@${version}`], {
      encoding: "utf8",
      stdio: "pipe",
      timeout: 300_000,
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
  const installed = find();
  return installed === undefined
    ? { problem: "npm installed no such version for this system" }
    : { program: installed };
}

/** A program of a package that is installed in `.agents/<folder>`. `file`: below node_modules. */
export function npmProgram(folderName: string, wanted: NpmPackage, file: string) {
  const folder = agentFolder(folderName);
  const program = join(folder, "node_modules", file);
  const find = () => (findPackage(folder, wanted) !== undefined && existsSync(program) ? program : undefined);
  return {
    package: wanted,
    find,
    install: (): Installed => installPackage(folder, wanted, find),
  };
}
