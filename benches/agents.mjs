// What toolgate adds to one call of each real agent: the time between the model's answer with a call and the agent's next request, without the
// hook, with it, and with it while `toolgate serve` runs. `npm run test:agents` installs the agents; one that is not there is left out.

import { createScriptedModel } from "../src/testing/index.ts";
import { installHook } from "../tests/agents/real/agent-bench.ts";
import { realAgents } from "../tests/agents/real/real-agents.ts";
import { runProcess } from "../tests/agents/run-process.ts";
import { serve } from "../tests/agents/serve.ts";
import { createWorkbench } from "../tests/agents/workbench.ts";
import { median, table } from "./measure.mjs";

const ways = ["bare", "hook", "served"];

export async function run({ quick = false, only } = {}) {
  const rounds = quick ? 1 : 3;
  const calls = quick ? 4 : 12;
  const rows = [];
  for (const agent of realAgents) {
    if (only !== undefined && agent.name !== only) continue;
    if (agent.find() === undefined) {
      console.error(`${agent.name} is not installed: npm run test:agents installs it.`);
      continue;
    }
    console.error(`${agent.name} ${agent.package.version} ...`);
    const gaps = { bare: [], hook: [], served: [] };
    // In turns, so that a busy machine disturbs all of them alike.
    for (let round = 0; round < rounds; round++)
      for (const way of ways) gaps[way].push(...(await session(agent, way, calls)));
    const [bare, hook, served] = ways.map((way) => median(gaps[way]));
    rows.push({ agent: agent.name, version: agent.package.version, bare, hook, served });
  }
  const shown = (ms) => `${Math.round(ms)}`;
  const lines = rows.map(({ agent, version, bare, hook, served }) => [
    `${agent} ${version}`,
    ...[bare, hook - bare, served - bare].map(shown),
  ]);
  console.log(
    "One shell call of each agent, from the model's answer to the agent's next request (p50, ms)\n",
  );
  console.log(table(["agent", "bare", "hook adds", "with a server it adds"], lines));
  return rows;
}

/** The times of the calls of one session but the first, in which everything is loaded. */
async function session(agent, way, calls) {
  const cleanUps = [];
  const onEnd = (cleanUp) => cleanUps.push(cleanUp);
  const bench = createWorkbench({ variables: agent.variables, onEnd });
  const isAside = agent.isAside ?? (({ tools }) => tools.length === 0);
  const gaps = [];
  let answeredAt;
  try {
    const model = await createScriptedModel({
      script: (request) => {
        if (isAside(request)) return "Aside.";
        const done = request.messages.flatMap(({ toolResults }) => toolResults).length;
        if (answeredAt !== undefined && done > 1) gaps.push(performance.now() - answeredAt);
        answeredAt = performance.now();
        return done > calls ? "Done." : { ...agent.calls.shell("true"), id: `call_${done}` };
      },
    });
    onEnd(() => model.close());
    const world = { modelUrl: model.url, mcpServers: {} };
    await agent.configure(bench, world);
    if (way !== "bare") await installHook(agent, bench);
    if (way === "served") await serve(bench, { onEnd });
    const { program, args, env = {} } = agent.command("Do it.", world);
    await runProcess(program, args, {
      cwd: bench.project,
      env: { ...bench.env, ...env },
      timeoutMs: 180_000,
    });
    await agent.cleanUp?.(bench);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
  return gaps;
}
