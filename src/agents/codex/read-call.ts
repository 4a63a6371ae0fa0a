/**
 * A call as Codex sends it: Claude Code's form. Every shell tool is `Bash` with the command alone; in code mode
 * the script is not shown, but each tool that it calls is.
 */
import type { HookInput, ReadHookInput } from "../agent-hook.ts";
import { readHookInput } from "../read-hook-input.ts";
import { findBareShell } from "./bare-shell.ts";
import { readShellPatch } from "./shell-patch.ts";

export function readCall(text: string): ReadHookInput {
  const read = readHookInput(text);
  if (!read.ok || read.input.event === "UserPromptSubmit") return read;
  const { input } = read;
  const { command } = input.input;
  if (input.tool !== "Bash" || typeof command !== "string") return { ok: true, input: withPlainName(input) };
  const shell = input.event === "PreToolUse" ? findBareShell(command) : undefined;
  if (shell !== undefined) return { ok: false, input, message: refusal(shell) };
  return { ok: true, input: asPatch(input, command) };
}

function refusal(shell: string): string {
  return (
    `An open ${shell} would run whatever is typed into it later, and Codex shows that to nobody. ` +
    `Run each command by itself, or give ${shell} a script or a command.`
  );
}

/** Codex applies such a line itself, as a patch: rules about files and about `apply_patch` are to see it. */
function asPatch(input: HookInput, command: string): HookInput {
  const patch = readShellPatch(command);
  if (patch === undefined) return input;
  // There is more in the line, which the shell runs: it stays a command, and also names the files of the patch.
  if (!patch.isAll) return { ...input, input: { ...input.input, patch: patch.text } };
  return { ...input, tool: "apply_patch", agentTool: "Bash", input: { command: patch.text, line: command } };
}

/** Codex glues the name of a group of tools to the tool's: `multi_agent_v1wait_agent`. */
function withPlainName(input: HookInput): HookInput {
  const tool = input.tool.replace(/^multi_agent_v\d+(?=[a-z])/, "");
  return tool === input.tool ? input : { ...input, tool, agentTool: input.tool };
}
