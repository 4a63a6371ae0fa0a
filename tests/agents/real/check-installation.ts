/** Installed twice is installed once; uninstalled is as it was, to the byte. */
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

export function checkInstallation({ agent }: Checked): void {
  if (agent.hook?.install !== undefined) {
    it("is installed by toolgate itself", () => {
      throw new Error("The checks put the hook in by themselves: remove `hook.install` from the row.");
    });
    return;
  }
  const files = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    await agent.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    await withProgram(agent, bench);
    const look = () => filesBelow(bench.home, isOurRecord);
    const before = look();
    await installHook(agent, bench);
    const once = look();
    await installHook(agent, bench);
    const twice = look();
    await toolgate(bench, ["uninstall", agent.name]);
    return { before, once, twice, after: look() };
  });

  describe("its installation", () => {
    it("changes something, and the second time nothing", async () => {
      const { before, once, twice } = await files();
      expect(once).not.toEqual(before);
      expect(twice).toEqual(once);
    });

    it("is undone to the byte", async () => {
      const { before, after } = await files();
      expect(after).toEqual(before);
    });
  });
}
