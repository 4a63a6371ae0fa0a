/** The real Claude Code that the checks run against: which version, where it is installed, how it is found. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";

/** Everything the checks say was seen with exactly this version. */
export const claudeCode = { name: "@anthropic-ai/claude-code", version: "2.1.325" };

const folder = resolve(import.meta.dirname, "../../.agents/claude-code");

/** The program, if the right version of it is there. */
export function findClaudeCode(): string | undefined {
  // npm unpacks the build for this system only; its own launcher would need an install script.
  const [found] = globSync("node_modules/@anthropic-ai/claude-code-*/claude{,.exe}", { cwd: folder });
  if (found === undefined) return undefined;
  const program = join(folder, found);
  const said = execFileSync(program, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return said.startsWith(`${claudeCode.version} `) ? program : undefined;
}

/** Downloads it unless it is there. `problem`: what npm said. */
export function installClaudeCode(): { readonly program: string } | { readonly problem: string } {
  const present = findClaudeCode();
  if (present !== undefined) return { program: present };
  try {
    const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
    execFileSync("npm", ["install", ...options, `${claudeCode.name}@${claudeCode.version}`], {
      encoding: "utf8",
      stdio: "pipe",
      timeout: 300_000,
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
  const installed = findClaudeCode();
  return installed === undefined
    ? { problem: "npm installed no build for this system" }
    : { program: installed };
}
