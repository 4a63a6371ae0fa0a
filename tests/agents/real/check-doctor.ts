/** `toolgate doctor <agent>` starts the agent itself for a forbidden call, and changes nothing of the person's. */
import { describe, expect, it } from "vitest";
import {
  createAgentBench,
  filesBelow,
  installHook,
  isOurRecord,
  shared,
  toolgate,
  withProgram,
} from "./agent-bench.ts";
import type { Checked } from "./shared-checks.ts";

export function checkDoctor({ agent, setup: { client } }: Checked): void {
  const examined = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    await agent.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    await installHook(agent, bench);
    const env = await withProgram(agent, bench);
    const look = () => filesBelow(bench.home, isOurRecord);
    const before = look();
    const gated = await bench.toolgate(["doctor", agent.name, "--json"], { env });
    const after = look();
    await toolgate(bench, ["uninstall", agent.name]);
    const ungated = await bench.toolgate(["doctor", agent.name, "--json"], { env });
    await agent.cleanUp?.(bench);
    return { before, after, gated: JSON.parse(gated.stdout), ungated: JSON.parse(ungated.stdout) };
  });

  describe("toolgate doctor", () => {
    it("has a way to start it", () => {
      expect(client).toBeDefined();
    });

    it("sees that it is stopped, and that nothing stops it after uninstall", async () => {
      const { gated, ungated } = await examined();
      expect(gated, JSON.stringify(gated, undefined, 2)).toMatchObject({ ok: true, proven: true });
      expect(ungated).toMatchObject({ ok: false, proven: false });
    });

    it("changes no file of the person's", async () => {
      const { before, after } = await examined();
      expect([...after].filter(([path]) => before.has(path))).toEqual([...before]);
    });
  });
}
