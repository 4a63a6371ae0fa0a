/** Which rules hold for an agent that starts its hooks in the project while a call names any folder. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAgent } from "../../../../../src/agents/all-agents.ts";
import { codex } from "../../../../../src/agents/codex/agent.ts";
import { createHookWorld, settle } from "../hook-world.ts";

const rules = "routes:\n  no-make: { tool: Bash, pattern: make, message: Use ninja. }\n";

async function createCodexWorld() {
  const world = createHookWorld();
  const agent = await openAgent(codex);
  const run = (command: string, cwd: string) =>
    world.run(
      {
        hook_event_name: "PreToolUse",
        session_id: "s1",
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: "t1",
        cwd,
      },
      { agent },
    );
  return { world, run };
}

describe("an agent whose calls name a folder of their own", () => {
  it("cannot leave the project's rules by running a command elsewhere", async () => {
    const { world, run } = await createCodexWorld();
    world.write("toolgate.yaml", rules);
    await settle();
    for (const cwd of [world.project, join(world.project, "src"), "/", world.home])
      expect(await run("make", cwd), cwd).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("ninja"),
      });
    expect(world.spool().at(-1)).toMatchObject({ cwd: world.home });
  });

  it("has its paths judged from where the command runs", async () => {
    const { world, run } = await createCodexWorld();
    world.user(
      `policies:\n  no-key: { tools: "*", action: deny, reason: Not that file., conditions: [{ type: path, operator: equals, value: ${world.home}/key }] }\n`,
    );
    await settle();
    expect((await run("cat key", world.home)).exitCode).toBe(2);
    expect((await run("cat key", world.project)).exitCode).toBe(0);
  });

  it("leaves a record of a call that its adapter refuses, with what it was", async () => {
    const { world, run } = await createCodexWorld();
    expect(await run("bash", world.project)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("An open bash would run whatever is typed into it later"),
    });
    expect(world.spool()).toEqual([
      expect.objectContaining({
        code: "bad_call",
        tool: "Bash",
        input: { command: "bash" },
        sessionId: "s1",
      }),
    ]);
  });
});
