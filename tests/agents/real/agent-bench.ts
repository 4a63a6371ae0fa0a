/** A workbench for a whole group of checks: one session is run in it when the first check asks, and all of them look at what came of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { findAgent } from "../../../src/agents/all-agents.ts";
import { createWorkbench, type Workbench } from "../workbench.ts";
import type { RealAgent } from "./real-agent.ts";

export interface AgentBench extends Workbench {
  /** Cleaned up when the group of checks is over. */
  onEnd(cleanUp: () => void | Promise<void>): void;
}

/** A busy machine takes its time to remove what a whole agent wrote. */
const cleanUpTimeoutMs = 120_000;

/** Starts when somebody asks for the first time; what goes wrong fails every check that asks. */
export function shared<Value>(make: (onEnd: AgentBench["onEnd"]) => Promise<Value>): () => Promise<Value> {
  const cleanUps: (() => void | Promise<void>)[] = [];
  let made: Promise<Value> | undefined;
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }, cleanUpTimeoutMs);
  return () => {
    made ??= make((cleanUp) => void cleanUps.push(cleanUp));
    return made;
  };
}

export function createAgentBench(agent: RealAgent, onEnd: AgentBench["onEnd"]): AgentBench {
  return { ...createWorkbench({ variables: agent.variables, onEnd }), onEnd };
}

export async function installHook(agent: RealAgent, bench: Workbench): Promise<void> {
  if (agent.hook?.install !== undefined) return agent.hook.install(bench);
  const env = await withProgram(agent, bench);
  await toolgate(bench, ["install", agent.name, ...(agent.hook?.options ?? [])], env);
}

/** A PATH on which toolgate finds the agent under the name that its adapter knows. */
export async function withProgram({ name, find }: RealAgent, bench: Workbench): Promise<{ PATH: string }> {
  const bin = bench.path("bin");
  const { client, signs } = (await findAgent(name)?.loadSetup()) ?? {};
  const link = join(bin, client?.program ?? signs?.programs[0] ?? name);
  mkdirSync(bin, { recursive: true });
  if (!existsSync(link)) symlinkSync(find() ?? "", link);
  return { PATH: `${bin}:${bench.env.PATH}` };
}

export async function toolgate(
  bench: Workbench,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await bench.toolgate(args, { env });
  expect(code, `toolgate ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** Every file below the home with its content; links with what they name, folders with nothing. */
export function filesBelow(folder: string, isLeftOut: (path: string) => boolean): Map<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    found
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      .filter(({ path }) => !isLeftOut(path.slice(folder.length + 1)))
      .map(({ entry, path }): [string, string] => [
        path.slice(folder.length + 1),
        entry.isSymbolicLink()
          ? `-> ${readlinkSync(path)}`
          : entry.isFile()
            ? readFileSync(path, "utf8")
            : "",
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** What toolgate keeps for itself: its records and caches. The hook's copies are part of an installation. */
export function isOurRecord(path: string): boolean {
  return /^\.local\/state\/toolgate(?:\/|$)|^\.cache(?:$|\/toolgate(?:\/|$))/.test(path);
}
