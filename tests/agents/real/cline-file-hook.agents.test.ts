/** The hook as a file hook of Cline, which is all that its extensions for editors have: a denial ends the run. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root, type Workbench } from "../workbench.ts";
import { createAgentBench, shared } from "./agent-bench.ts";
import { runAgent } from "./agent-session.ts";
import { cline } from "./cline.ts";
import type { RealAgent } from "./real-agent.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
  other-name: { tool: Bash, pattern: "^touch before\\\\.txt$", action: rewrite, rewrite: { command: "touch after.txt" } }
`;

function install(bench: Workbench): void {
  const script = join(root, "dist/hook/hook.sh");
  const file = bench.write(
    "Documents/Cline/Hooks/PreToolUse",
    `#!/bin/bash\nexec '${script}' cline '${process.execPath}' 30\n`,
  );
  chmodSync(file, 0o755);
}

describe.skipIf(cline.find() === undefined)("the hook as a file hook of Cline", () => {
  const agent: RealAgent = { ...cline, hook: { install } };
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(agent, onEnd);
    bench.writeRules(rules);
    const { calls } = agent;
    const { heard } = await runAgent(agent, bench, {
      steps: [
        { name: "free", call: calls.shell("touch free.txt") },
        { name: "rewritten", call: calls.shell("touch before.txt") },
        { name: "forbidden", call: calls.shell("touch ran.txt forbidden-shell") },
        { name: "later", call: calls.shell("touch later.txt") },
      ],
    });
    return { heard, has: (file: string) => bench.has(`project/${file}`) };
  });

  it("lets calls run, and changes them", async () => {
    const { has } = await session();
    expect([has("free.txt"), has("before.txt"), has("after.txt")]).toEqual([true, false, true]);
  });

  it("ends the run with a forbidden call, which does not run", async () => {
    const { has } = await session();
    expect([has("ran.txt"), has("later.txt")]).toEqual([false, false]);
  });
});
