/** The one process that a plugin starts for all calls of a real agent: counted, killed, and told of a server that comes later. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Served, serve } from "../serve.ts";
import { createAgentBench, shared } from "./agent-bench.ts";
import { runAgent, type Step } from "./agent-session.ts";
import { cline } from "./cline.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { endResidents, residentsOf } from "./resident-faults.ts";

const rules = `
hooks: { ask: queue }
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
policies:
  ask-first: { tools: Bash, action: ask, reason: Ann decides., conditions: [{ type: command, operator: matches, value: asked- }] }
`;

/** In Kilo it is the same plugin as in OpenCode, whose turns take longer than those of pi. */
const tried = [
  { agent: opencode, calls: 6 },
  { agent: cline, calls: 6 },
  { agent: pi, calls: 20 },
];
/** Longer than Cline waits for a plugin, which makes the call twice; the others wait. */
const thinkingMs = 3_000;

describe.each(tried)("$agent.name", ({ agent, calls }) => {
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    bench.writeRules(rules);
    const seen = new Set<number>();
    const isServed = Promise.withResolvers<Served>();
    const look = () => {
      for (const { pid } of residentsOf(bench.home)) seen.add(pid);
    };
    const free: Step[] = Array.from({ length: calls }, (_, at) => ({
      name: `free ${at}`,
      call: agent.calls.shell(`touch free-${at}.txt`),
      before: look,
    }));
    let ended = 0;
    const ran = await runAgent(agent, bench, {
      steps: [
        ...free,
        {
          name: "killed",
          call: agent.calls.shell("touch ran.txt forbidden-shell"),
          before() {
            look();
            ended = endResidents(bench.home);
          },
        },
        {
          name: "asked",
          call: agent.calls.shell("touch asked-yes.txt"),
          before: async () => isServed.resolve(await serve(bench, { onEnd })),
        },
        { name: "last", call: agent.calls.shell("touch last.txt") },
      ],
      meanwhile: async (signal) => {
        const over = new Promise<undefined>((resolve) =>
          signal.addEventListener("abort", () => resolve(undefined)),
        );
        const server = await Promise.race([isServed.promise, over]);
        while (server !== undefined && !signal.aborted) {
          const { approvals } = (await server.ask("/api/approvals")) as { approvals: { id: string }[] };
          for (const { id } of approvals) {
            await sleep(thinkingMs);
            await server.ask(`/api/approvals/${id}/answer`, { decision: "approve" }).catch(() => {});
          }
          await sleep(100);
        }
      },
    });
    return { ...ran, seen, ended, has: (file: string) => bench.has(`project/${file}`) };
  });

  it.skipIf(agent.find() === undefined)(`asks one process about ${calls} calls`, async () => {
    const { seen, has } = await session();
    expect(seen.size).toBe(1);
    expect(has(`free-${calls - 1}.txt`)).toBe(true);
  });

  it.skipIf(agent.find() === undefined)("asks a new one when that was killed", async () => {
    const { told, ended, has } = await session();
    expect(ended).toBe(1);
    // It is denied by the new one, or because it was asked of the old one.
    expect(told("killed")).toMatch(/GATE-SHELL|could not be checked/);
    expect(has("ran.txt")).toBe(false);
  });

  it.skipIf(agent.find() === undefined)(
    "asks a server that came later, however long the person thinks",
    async () => {
      const { told, heard, has } = await session();
      if (agent === cline) expect(heard).toContain("make exactly the same call again");
      expect(has("asked-yes.txt")).toBe(true);
      expect(told("last")).toBeDefined();
    },
  );
});
