/**
 * Whether this command runs inside an agent: some things are for a person to decide. A rail, not a wall: code that a person lets run as
 * the same user can leave the tree of processes and clear its variables.
 */
import type { Environment } from "../../config/folders.ts";
import type { Ancestor } from "../../safe/process/process-ancestors.ts";
import type { CliIo } from "./terminal/io.ts";

/** Set by agents for the commands they run, and by toolgate for its own tools. */
const agentVariables = ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "COPILOT_CLI", "TOOLGATE_CALL"];

/** Why this is not for an agent to do; undefined: no agent is around, or a person sits at the terminal. */
export function explainForPeople(what: string, io: CliIo): string | undefined {
  const agent = agentAround(io);
  if (agent === undefined) return undefined;
  return `This runs inside an agent (${agent}), and ${what} is a person's decision. Nothing was changed; a person can run it in a terminal.`;
}

/** How the agent is known, in words. */
export function agentAround(io: CliIo): string | undefined {
  // A terminal proves nothing here: script(1) and expect make one.
  const above = io.ancestors?.().find(isAgent);
  if (above !== undefined) return `${shownName(above)}, pid ${above.pid}, started it`;
  const variable = findVariable(io.env);
  if (variable === undefined || (io.isTerminal && io.stdinIsTerminal === true)) return undefined;
  return `${variable} is set`;
}

function findVariable(env: Environment): string | undefined {
  return agentVariables.find((name) => (env[name] ?? "") !== "");
}

const agentNames = new Set(
  "claude claude-code codex gemini gemini-cli qwen qwen-code copilot opencode cline cursor-agent aider goose amp crush droid auggie kiro-cli kilocode openhands".split(
    " ",
  ),
);

/** Where their packages lie, when an interpreter runs a file with a plain name (`cli.js`, `index.js`). */
const agentPackages =
  /[\\/](?:@anthropic-ai[\\/]claude-|@openai[\\/]codex|@google[\\/]gemini-cli|@qwen-code[\\/]|@github[\\/]copilot|opencode-ai[\\/]|@sourcegraph[\\/]amp|@kilocode[\\/]cli|(?:node_modules|site-packages)[\\/](?:cline|aider|openhands)[\\/])/i;

const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|ruby|sh|bash|dash|zsh|ksh|fish|busybox)(?:\.exe)?$/i;

function isAgent({ program, argv }: Ancestor): boolean {
  const [first = "", ...rest] = argv;
  const names = [program ?? "", first];
  // A script's file: options come before it, and some of them have a value.
  if (names.some((name) => interpreters.test(baseName(name)))) names.push(...rest.slice(0, 8).filter(isFile));
  return names.some((name) => agentNames.has(plainName(name)) || agentPackages.test(name));
}

function isFile(word: string): boolean {
  return !word.startsWith("-") && /[\\/]/.test(word) && !/\s/.test(word);
}

function shownName({ program, argv }: Ancestor): string {
  const all = [program ?? "", ...argv];
  return plainName(all.find((name) => agentNames.has(plainName(name))) ?? argv[0] ?? "it");
}

function plainName(path: string): string {
  return baseName(path)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|[cm]?[jt]s|py|sh)$/, "");
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
