/** What only Kimi Code has: one hook that it does not understand, and it asks none. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgentBench } from "./real/agent-bench.ts";
import { runAgent } from "./real/agent-session.ts";
import { kimi } from "./real/kimi.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
`;

describe.skipIf(kimi.find() === undefined)("Kimi Code", () => {
  it("ignores every hook beside one with a field that it does not know, and doctor says so", async () => {
    const bench = createAgentBench(kimi, onTestFinished);
    bench.writeRules(rules);
    const file = ".kimi-code/config.toml";
    const odd = '\n[[hooks]]\nevent = "Stop"\ncommand = "true"\nfail_mode = "closed"\n';
    await runAgent(kimi, bench, {
      steps: [{ name: "forbidden", call: kimi.calls.shell("touch ran.txt forbidden-shell") }],
      installed: () => void bench.write(file, bench.read(file) + odd),
    });
    expect(bench.has("project/ran.txt")).toBe(true);
    const { stdout } = await bench.toolgate(["doctor", "kimi", "--json"]);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: "hooks-shape", level: "problem" }));
  });
});
