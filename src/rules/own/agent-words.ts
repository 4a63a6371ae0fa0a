/** The names that agents have in our commands: `install codex`, `hook.sh codex`. A test compares them with the table. */

const names = new Set(
  "claude-code codex gemini qwen copilot grok droid kimi opencode kilo cline pi cursor windsurf vscode crush qoder".split(
    " ",
  ),
);

export function namesAgent(word: string): boolean {
  return names.has(word);
}
