/** The hook that agents are told to start: a copy, made for all of them at once and tidied up when they are done. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type {
  InstallRequest,
  SetupMemory,
  SetupRequest,
  SetupResult,
} from "../../../../agents/agent-setup.ts";
import { findFolders } from "../../../../config/folders.ts";
import type { CliIo } from "../../terminal/io.ts";
import { chooseNode } from "./choose-node.ts";
import { planCopy } from "./hook-copies.ts";
import { openInstallations } from "./installations.ts";
import { type KnownAgent, loadAgents } from "./on-machine.ts";

export interface HookSource {
  readonly memory: SetupMemory;
  /** What this agent would get, or gets. Whatever goes wrong in it concerns this agent alone. */
  install(known: KnownAgent, request: SetupRequest): SetupResult;
  /** Before anything is written. A text: why the copy cannot be made. */
  make(): string | undefined;
  /** Takes away copies that nobody names: one that no agent was told about in the end is none. */
  tidy(request: SetupRequest, known?: readonly AgentAdapter[]): Promise<void>;
}

type How = Pick<InstallRequest, "bundle" | "force" | "withoutScript">;

export async function openHookSource(how: How, io: CliIo): Promise<HookSource> {
  const { data } = findFolders(io.env);
  const execPath = await chooseNode(process.execPath, io.env.PATH);
  const copy = existsSync(how.bundle) ? planCopy(how.bundle, data) : undefined;
  const memory = openInstallations(data);
  // What is shown is what is written then.
  const key = randomBytes(8).toString("hex");
  let fresh: string | undefined;
  return {
    memory,
    install: ({ setup }, request) => {
      const more = { key, ...(copy !== undefined && { memory, copy: copy.bundle }) };
      try {
        return setup.install({ ...request, ...how, execPath, ...more });
      } catch (error) {
        return { ok: false, message: `It could not be installed: ${(error as Error).message}` };
      }
    },
    make() {
      if (copy === undefined) return undefined;
      try {
        memory.begin();
        if (copy.make()) fresh = dirname(copy.bundle);
        return undefined;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return `The hook could not be copied to ${data} (${code ?? message}). Nothing was changed.`;
      }
    },
    tidy: async (request, known) => {
      if (copy !== undefined) memory.tidy({ named: await linesHere(request, known), fresh });
    },
  };
}

/** Every line that any agent would start here, whoever wrote it. */
export async function linesHere(request: SetupRequest, known?: readonly AgentAdapter[]): Promise<string[]> {
  return (await loadAgents(known)).flatMap(({ setup }) =>
    setup.examine(request).installed.flatMap(({ command, args }) => [command, ...args]),
  );
}
