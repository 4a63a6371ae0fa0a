/** The client's other shells: a monitor runs its command in the background, and asks the hook before it does. */
import { expect, it } from "vitest";
import { callOnce, describeClaudeCode, refused } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const monitor = (command: string) => ({
  tool: "Monitor",
  input: { command, description: "watch the log", timeout_ms: 1_000 },
});
const allow = { allow: ["Monitor", "Bash"] };

describeClaudeCode("Monitor in a session of Claude Code", () => {
  it("runs a command, as Bash does, where no rule is against it", async () => {
    const bench = createWorkbench();
    expect((await callOnce(bench, monitor("touch ran.txt; sleep 1"), allow)).isError).toBe(false);
    await expect.poll(() => bench.has("project/ran.txt")).toBe(true);
  });

  it("is blocked by a route that is written for Bash: the model reads the message, the command did nothing", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-touch: { tool: Bash, pattern: "touch", message: "Use the Write tool for new files." }
`);
    const told = await callOnce(bench, monitor("tail -f log & touch ran.txt"), allow);
    expect(told).toMatchObject(refused("Use the Write tool"));
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("is denied by a policy for Bash, also what hides behind env and bash -c", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
policies:
  no-touch:
    tools: Bash
    action: deny
    reason: Nothing is made here.
    conditions: [{ type: command, operator: startsWith, value: touch }]
`);
    const told = await callOnce(bench, monitor("true && env A=1 bash -c 'touch ran.txt'"), allow);
    expect(told).toMatchObject(refused("Nothing is made here."));
    expect(bench.has("project/ran.txt")).toBe(false);
  });
});
