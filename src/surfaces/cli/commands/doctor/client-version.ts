/** The version of an agent's program, as it says itself. */
import { dirname } from "node:path";
import type { ClientProgram } from "../../../../agents/agent-client.ts";

const timeoutMs = 15_000;

/** Undefined: it does not start, or says nothing that looks like a version. */
export async function askVersion({ program, run }: ClientProgram): Promise<string | undefined> {
  // Not in the project: nothing that it names is to be started for this.
  const end = await run(["--version"], { timeoutMs, cwd: dirname(program) });
  if (!end.started || end.exitCode !== 0) return undefined;
  return /\d+\.\d+(?:\.\d+)?[\w.+-]*/.exec(`${end.stdout}\n${end.stderr}`)?.[0];
}
