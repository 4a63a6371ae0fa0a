/** A working day with the file that `init` writes: the agent asks as it always does, and nothing is in its way. */
import { expect, it } from "vitest";
import { starterFile } from "../../../../../src/config/file/starter-file.ts";
import { ordinaryCommands } from "../../../../ordinary-commands.ts";
import { bash, createHookWorld, type HookWorld, said, settle } from "../hook-world.ts";

async function dayOf(permissionMode: string): Promise<Record<string, string[]>> {
  const world = await createProject();
  const env = {
    CLAUDE_PROJECT_DIR: world.project,
    CLAUDE_CODE_SESSION_ID: "s1",
    CLAUDE_CODE_SESSION_ATTENDED: "1",
  };
  const found: Record<string, string[]> = { silent: [], deny: [], ask: [], byRoute: [] };
  for (const command of ordinaryCommands) {
    const sent = bash(command, { session_id: "s1", permission_mode: permissionMode, cwd: world.project });
    const { permissionDecision = "silent", permissionDecisionReason } = said(
      await world.claude(sent, { env }),
    );
    const isRoute = /\(route /.test(String(permissionDecisionReason));
    found[isRoute ? "byRoute" : String(permissionDecision)]?.push(command);
  }
  return found;
}

async function createProject(): Promise<HookWorld> {
  const world = createHookWorld();
  world.trust(world.write("toolgate.yaml", starterFile()));
  for (const file of [".env", ".env.example", "package.json", "README.md", "src/a.ts", "tests/a.test.ts"])
    world.write(file, "x");
  await settle();
  return world;
}

it("has 200 commands or more, each once", () => {
  expect(ordinaryCommands.length).toBeGreaterThanOrEqual(200);
  expect(new Set(ordinaryCommands).size).toBe(ordinaryCommands.length);
});

it("denies none of them but by a route that names a better tool, and asks about three at most", async () => {
  const { deny, ask = [], byRoute = [], silent = [] } = await dayOf("default");
  expect(deny).toEqual([]);
  expect(ask.length).toBeLessThanOrEqual(3);
  expect(byRoute.length).toBeLessThanOrEqual(3);
  expect(silent.length + ask.length + byRoute.length).toBe(ordinaryCommands.length);
});

it("denies none of them in a mode without prompts either: what cannot be read asks", async () => {
  const { deny, ask = [] } = await dayOf("bypassPermissions");
  expect(deny).toEqual([]);
  // The rest could be read: of what asks, every line has code, a variable, or files that only git or find knows.
  expect(ask.length).toBeLessThan(ordinaryCommands.length / 6);
});
