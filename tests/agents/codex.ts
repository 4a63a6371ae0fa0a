/** The real Codex that the checks run against: which version, where it is installed, how it is found. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { agentFolder, findPackage, type Installed, installPackage } from "./npm-package.ts";

/** Everything the checks say was seen with exactly this version. */
export const codexPackage = { name: "@openai/codex", version: "0.166.0" };

const folder = agentFolder("codex");

/** The program itself: the package's own launcher would only look for it. */
export function findCodex(): string | undefined {
  if (findPackage(folder, codexPackage) === undefined) return undefined;
  const [found] = globSync("node_modules/@openai/codex-*/vendor/*/bin/codex{,.exe}", { cwd: folder });
  return found === undefined ? undefined : join(folder, found);
}

export function installCodex(): Installed {
  return installPackage(folder, codexPackage, findCodex);
}
