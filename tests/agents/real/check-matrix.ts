/** The forty calls of matrix-cases.ts in one session: the same answers in every agent. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Workbench } from "../workbench.ts";
import { createAgentBench, shared } from "./agent-bench.ts";
import { runAgent, type Step } from "./agent-session.ts";
import { type MatrixCase, matrixCases, matrixRules, nameOfCase } from "./matrix-cases.ts";
import { keepAnswers } from "./print-matrix.ts";
import type { AgentCalls } from "./real-agent.ts";
import type { Checked } from "./shared-checks.ts";

export function checkMatrix({ agent, abilities }: Checked): void {
  // Where a refusal ends the run, or its text reaches nobody, a session cannot tell forty answers.
  if (abilities.deny !== "told") return;
  const cases = matrixCases.flatMap((one) => {
    const call = (project: string) => callOf(agent.calls, one, project);
    return call("/") === undefined ? [] : [{ ...one, name: nameOfCase(one), call }];
  });
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    fillProject(bench);
    bench.writeRules(matrixRules);
    const server = join(import.meta.dirname, "../mcp-server.mjs");
    const store = { command: process.execPath, args: [server, bench.path("log.txt")] };
    const steps = cases.map(({ name, call }) => ({ name, call: call(bench.project) as Step["call"] }));
    return runAgent(agent, bench, { steps, mcpServers: agent.calls.mcp === undefined ? {} : { store } });
  });

  it("answers the calls of the matrix as toolgate check does", async () => {
    const { told } = await session();
    const answers = cases.map(({ name, stopped = "passes" }) => {
      const own = agent.refusesItself?.[name];
      const isOwn = own !== undefined && told(name).includes(own);
      const answer = isOwn ? "itself" : (/\bM-[A-Z]+/.exec(told(name))?.[0] ?? "passes");
      return { name, expected: isOwn ? "itself" : stopped, answer };
    });
    keepAnswers(agent.name, Object.fromEntries(answers.map(({ name, answer }) => [name, answer])));
    expect(answers.filter(({ answer, expected }) => answer !== expected)).toEqual([]);
  });
}

export function fillProject(bench: Workbench): void {
  mkdirSync(bench.path("project/secrets"));
  for (const [file, text] of [
    ["open.txt", "for all\n"],
    [".env", "KEY=1\n"],
    ["secrets/key.txt", "1\n"],
  ] as const)
    bench.write(`project/${file}`, text);
}

/** Undefined: the agent has no such tool, or none that runs offline. */
function callOf(
  calls: AgentCalls,
  { kind, what, content = "x\n" }: MatrixCase,
  project: string,
): Step["call"] | undefined {
  if (kind === "shell") return calls.shell(what);
  if (kind === "write") return calls.write?.(join(project, what), content);
  if (kind === "read") return calls.read?.(join(project, what));
  if (kind === "fetch") return calls.fetch?.(what);
  return calls.mcp?.("store", what);
}
