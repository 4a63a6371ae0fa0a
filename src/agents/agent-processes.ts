/** By which names and variables one knows a process of a coding agent, with an adapter here or without. */

/** Set by agents for the commands they run, and by toolgate for its own tools. */
export const agentsMarks = ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "TOOLGATE_CALL"];

const agentPrograms = new Set(
  "claude claude-code codex gemini gemini-cli qwen qwen-code copilot opencode cline cursor-agent aider goose amp crush droid auggie kiro-cli kilo kilocode openhands grok kimi pi qodercli windsurf".split(
    " ",
  ),
);

/** Where their packages lie, when an interpreter runs a file with a plain name (`cli.js`, `index.js`). */
const agentPackages =
  /[\\/](?:@anthropic-ai[\\/]claude-|@openai[\\/]codex|@google[\\/]gemini-cli|@qwen-code[\\/]|@github[\\/]copilot|opencode-ai[\\/]|@sourcegraph[\\/]amp|@kilocode[\\/]cli|@xai-official[\\/]grok|@factory[\\/]cli|@moonshot-ai[\\/]kimi|@earendil-works[\\/]pi-|@qoder-ai[\\/]|(?:node_modules|site-packages)[\\/](?:cline|aider|openhands)[\\/])/i;

const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|ruby|sh|bash|dash|zsh|ksh|fish|busybox)(?:\.exe)?$/i;

export interface StartedProcess {
  readonly program?: string | undefined;
  readonly argv: readonly string[];
}

export function isAgentProcess({ program, argv }: StartedProcess): boolean {
  const [first = "", ...rest] = argv;
  const names = [program ?? "", first];
  // A script's file: options come before it, and some of them have a value.
  if (names.some((name) => interpreters.test(baseName(name)))) names.push(...rest.slice(0, 8).filter(isFile));
  return names.some((name) => agentPrograms.has(plainName(name)) || agentPackages.test(name));
}

/** As a person would call the process. */
export function nameOfProcess({ program, argv }: StartedProcess): string {
  const all = [program ?? "", ...argv];
  return plainName(all.find((name) => agentPrograms.has(plainName(name))) ?? argv[0] ?? "it");
}

function isFile(word: string): boolean {
  return !word.startsWith("-") && /[\\/]/.test(word) && !/\s/.test(word);
}

function plainName(path: string): string {
  return baseName(path)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|[cm]?[jt]s|py|sh)$/, "");
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
