/** The MCP Inspector that the checks run: which version, and how it is found. */
import { join } from "node:path";
import { agentFolder, findPackage, type Installed, installPackage } from "./npm-package.ts";

export const inspector = { name: "@modelcontextprotocol/inspector", version: "2.12.0" };

const folder = agentFolder("inspector");

/** Its program, if the right version of it is there. */
export function findInspector(): string | undefined {
  const found = findPackage<{ readonly bin: { readonly inspector: string } }>(folder, inspector);
  return found && join(found.home, found.about.bin.inspector);
}

export function installInspector(): Installed {
  return installPackage(folder, inspector, findInspector);
}
