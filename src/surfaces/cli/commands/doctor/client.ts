/** An agent's own program on the PATH; without one there is nothing to ask and nothing to try. */
import { delimiter } from "node:path";
import type { AgentClient, ClientProgram } from "../../../../agents/agent-client.ts";
import { isInside } from "../../../../core/input/inside-folder.ts";
import { findCommand } from "../../../../safe/process/find-command.ts";
import { runProcess } from "../../../../safe/process/spawn.ts";
import type { CliIo } from "../../terminal/io.ts";
import { inherited } from "./canary-world.ts";

/** In the project's folder, with the home and the settings that the person has there. */
export function findClient(
  { program: name, quiet, inherits }: Pick<AgentClient, "program" | "quiet" | "inherits">,
  { projectDir, home }: { readonly projectDir: string; readonly home: string },
  io: CliIo,
): ClientProgram | undefined {
  const program = findCommand(name, outside(projectDir, io.env.PATH), io.cwd);
  if (program === undefined) return undefined;
  return {
    program,
    run: (args, { timeoutMs, env = {}, cwd = projectDir, input }) =>
      runProcess({
        command: program,
        args,
        cwd,
        env: { ...quiet, ...inherited(home, inherits, io), ...env },
        ...(input !== undefined && { input }),
        timeoutMs,
        signal: io.signal,
      }),
  };
}

/** A program that a repository brings along could say anything. */
function outside(projectDir: string, path = ""): string {
  return path
    .split(delimiter)
    .filter((entry) => !isInside(entry, projectDir))
    .join(delimiter);
}
