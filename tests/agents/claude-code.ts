/** The real Claude Code that the checks run against: which version, where it is installed, how it is found. */
import { join } from "node:path";
import { npmProgram } from "./npm-package.ts";

/** Everything the checks say was seen with exactly this version. */
export const claudeCode = { name: "@anthropic-ai/claude-code", version: "2.1.325" };

/** npm unpacks the build for this system only; its own launcher would need an install script. */
export const { find: findClaudeCode, install: installClaudeCode } = npmProgram({
  agent: "claude-code",
  package: claudeCode,
  file: "@anthropic-ai/claude-code-*/claude{,.exe}",
});

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
