/** The hook's script, asked about a command as Claude Code asks it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliWorld, type Ended, ended } from "./cli-process.ts";

const script = fileURLToPath(new URL("../../dist/hook/hook.sh", import.meta.url));

/** `node`: what the script starts when no server answers. */
export function askScript({ folder, project }: CliWorld, command: string, node: string): Promise<Ended> {
  const session = "00000000-0000-4000-8000-000000000001";
  const child = spawn(script, ["claude-code", node, "300", "word"], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, "home"),
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_CODE_SESSION_ATTENDED: "1",
    },
    stdio: "pipe",
  });
  child.stdin.end(
    JSON.stringify({
      session_id: session,
      transcript_path: join(folder, "home/.claude/projects/x.jsonl"),
      cwd: project,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "x" },
      tool_use_id: "toolu_1",
    }),
  );
  return ended(child);
}
