/** The real Claude Code that the checks run against: which version, where it is installed, how it is found. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { agentFolder, type Installed, installPackage } from "./npm-package.ts";

/** Everything the checks say was seen with exactly this version. */
export const claudeCode = { name: "@anthropic-ai/claude-code", version: "2.1.325" };

const folder = agentFolder("claude-code");

/** The program, if the right version of it is there. */
export function findClaudeCode(): string | undefined {
  // npm unpacks the build for this system only; its own launcher would need an install script.
  const [found] = globSync("node_modules/@anthropic-ai/claude-code-*/claude{,.exe}", { cwd: folder });
  if (found === undefined) return undefined;
  const program = join(folder, found);
  const said = execFileSync(program, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return said.startsWith(`${claudeCode.version} `) ? program : undefined;
}

export function installClaudeCode(): Installed {
  return installPackage(folder, claudeCode, findClaudeCode);
}

/** Nothing of the machine's own settings, no account, no traffic but to the model. */
export function variablesOfClaude(home: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    ANTHROPIC_API_KEY: "dummy",
    // Nobody listens there: a command that needs no model must not look for one elsewhere.
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  };
}
