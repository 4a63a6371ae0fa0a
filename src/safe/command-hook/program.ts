/** What is started for a hook, and where. */
import { dirname, resolve } from "node:path";
import type { CommandHook } from "../../core/call/hook.ts";
import type { ProcessOptions } from "../process/spawn.ts";

/** Programs that answer in a few words need no long good-bye. */
const killGraceMs = 500;
export const maxAnswerBytes = 1024 * 1024;

export function programOf(hook: CommandHook, projectDir: string): ProcessOptions {
  const { command, env, wire } = hook;
  const [program = "", ...args] = typeof command === "string" ? ["sh", "-c", command] : command;
  return {
    command: program,
    args,
    cwd: folderOf(hook, projectDir),
    killGraceMs,
    maxOutputBytes: maxAnswerBytes,
    ...(env !== undefined && { allowEnv: env }),
    // Scripts for that client find their own files by it.
    ...(wire === "claude-code" && { env: { CLAUDE_PROJECT_DIR: projectDir } }),
  };
}

/** Never the folder of the call: by walking elsewhere an agent would choose which `./check.sh` runs. */
function folderOf({ cwd, wire, source }: CommandHook, projectDir: string): string {
  const home = source === undefined ? projectDir : dirname(resolve(source.file));
  if (cwd !== undefined) return resolve(home, cwd);
  return wire === "claude-code" ? projectDir : home;
}
