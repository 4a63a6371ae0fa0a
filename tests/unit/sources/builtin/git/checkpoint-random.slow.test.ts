import fc from "fast-check";
import { it } from "vitest";
import { byTier } from "../../../../tier.ts";
import { scenario, tryScenario } from "./checkpoint-random.ts";
import { describeGit, gitGate } from "./git-gate.ts";

describeGit("checkpoints of many random work trees", () => {
  it("come back byte for byte, and index, branches, HEAD and settings stay byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (one) => tryScenario(await gitGate({ files: { start: "s" } }), one)),
      { numRuns: byTier(25, 200) },
    );
  });
});
