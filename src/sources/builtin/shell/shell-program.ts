/** Chooses the shell and writes the arguments that make it run one line with both output streams as one. */
import type { Failed } from "../../../core/call/tool-answer.ts";
import { findProgram } from "../../../safe/process/find-program.ts";

export type ShellKind = "bash" | "sh";

export type ShellCommand =
  | { readonly ok: true; readonly command: string; readonly args: readonly string[] }
  | Failed;

/**
 * Rules read every line as bash, so bash is what runs it: `((reboot))` is a sum for bash and a command for
 * sh. Whoever has only sh says so (`shell: "sh"`) and knows the difference.
 */
export function shellCommand(line: string, kind: ShellKind, roots: readonly string[]): ShellCommand {
  const program = findProgram(kind, roots);
  if (program === undefined) return missing(kind);
  // Without --norc bash reads ~/.bashrc when its input is a socket, as the pipes of a child are.
  const plain = kind === "bash" ? ["--norc", "--noprofile"] : [];
  const inner = [program, ...plain, "-c", line, kind];
  // Both streams in one pipe: only so their lines keep the order in which they were written.
  return { ok: true, command: program, args: [...plain, "-c", 'exec "$@" 2>&1', kind, ...inner] };
}

function missing(kind: ShellKind): ShellCommand {
  const remedy =
    kind === "bash"
      ? 'Install bash, or let the operator choose createShellTools({ shell: "sh" }): rules read commands as bash, and sh reads some lines differently.'
      : "Install it, or let the operator choose another shell.";
  return { ok: false, code: "command_not_found", message: `There is no ${kind} on this machine. ${remedy}` };
}
