/** The MCP Inspector that the checks run: which version, where it is installed, how it is found. Too heavy for a dev dependency. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const inspector = { name: "@modelcontextprotocol/inspector", version: "2.12.0" };

const folder = resolve(import.meta.dirname, "../../.agents/inspector");
const home = join(folder, "node_modules", inspector.name);

/** Its program, if the right version of it is there. */
export function findInspector(): string | undefined {
  const about = join(home, "package.json");
  if (!existsSync(about)) return undefined;
  const { version, bin } = JSON.parse(readFileSync(about, "utf8")) as {
    version: string;
    bin: { inspector: string };
  };
  return version === inspector.version ? join(home, bin.inspector) : undefined;
}

/** Downloads it unless it is there. `problem`: what npm said. */
export function installInspector(): { readonly program: string } | { readonly problem: string } {
  const present = findInspector();
  if (present !== undefined) return { program: present };
  try {
    const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
    execFileSync("npm", ["install", ...options, `${inspector.name}@${inspector.version}`], {
      encoding: "utf8",
      stdio: "pipe",
      timeout: 300_000,
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
  const installed = findInspector();
  return installed === undefined ? { problem: "npm installed another version" } : { program: installed };
}
