/** A person's yes and no through the queue of a running server, and a server that dies while somebody thinks. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Served, serve } from "../serve.ts";
import { createAgentBench, shared } from "./agent-bench.ts";
import { runAgent } from "./agent-session.ts";
import type { Checked } from "./shared-checks.ts";

const rules = `
hooks: { ask: queue }
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
policies:
  ask-first: { tools: Bash, action: ask, reason: Ann decides., conditions: [{ type: command, operator: matches, value: asked- }] }
`;

export function checkPeople({ agent, abilities }: Checked): void {
  const { calls } = agent;
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    bench.writeRules(rules);
    const server = await serve(bench, { onEnd });
    const questions: string[] = [];
    const ran = await runAgent(agent, bench, {
      steps: [
        { name: "yes", call: calls.shell("touch asked-yes.txt") },
        { name: "no", call: calls.shell("touch asked-no.txt") },
        { name: "free", call: calls.shell("touch free.txt") },
        { name: "killed", call: calls.shell("touch asked-killed.txt") },
        { name: "after", call: calls.shell("touch after.txt") },
        { name: "forbidden after", call: calls.shell("touch ran.txt forbidden-shell") },
      ],
      meanwhile: async (signal) => {
        for (const answer of ["approve", "deny", undefined]) {
          const id = await nextQuestion(server, questions, signal);
          if (id === undefined) return;
          questions.push(id);
          if (answer === undefined) return server.kill();
          await server.ask(`/api/approvals/${id}/answer`, { decision: answer, reason: `ANN SAYS ${answer}` });
        }
      },
    });
    return { ...ran, questions, has: (file: string) => bench.has(`project/${file}`) };
  });

  describe("a person who is asked through a running server", () => {
    it("says yes, and the call runs", async () => {
      const { has, questions } = await session();
      expect(questions).toHaveLength(3);
      expect(has("asked-yes.txt")).toBe(true);
    });

    it("says no: the call does not run, and the model reads so", async () => {
      const { told, has } = await session();
      expect(has("asked-no.txt")).toBe(false);
      if (abilities.deny === "told") expect(told("no")).toContain("ANN SAYS deny");
      expect(has("free.txt")).toBe(true);
    });

    it("cannot answer any more when the server is killed: the call does not run", async () => {
      const { has } = await session();
      expect(has("asked-killed.txt")).toBe(false);
    });

    it("is not needed for what follows: without the server the same rules hold", async () => {
      const { told, has } = await session();
      expect([has("after.txt"), has("ran.txt")]).toEqual([true, false]);
      if (abilities.deny === "told") expect(told("forbidden after")).toContain("GATE-SHELL");
    });
  });
}

async function nextQuestion(
  server: Served,
  known: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  // The session's end is the bound: `runAgent` ends it when its time is over.
  while (!signal.aborted) {
    const { approvals } = (await server.ask("/api/approvals")) as { approvals: { id: string }[] };
    const found = approvals.find(({ id }) => !known.includes(id));
    if (found !== undefined) return found.id;
    await sleep(100);
  }
  return undefined;
}
