import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallRequest } from "../../src/core/call/call.ts";
import { openConfig, openGate } from "../../src/open/open-config.ts";
import { bash, createHookWorld, type HookWorld } from "../unit/surfaces/hook/hook-world.ts";

const policy = (text: string) => `policies:\n  theirs: { tools: '*', ${text} }\n`;
const asksAlways = policy("action: ask, priority: 1000");
const asksAbout = (path: string) =>
  policy(`action: ask, priority: 1000, conditions: [{ type: path, operator: equals, value: ${path} }]`);
const denies = policy("action: deny, conditions: [{ type: command, operator: startsWith, value: git push }]");

async function verdictOf(
  world: HookWorld,
  call: Pick<CallRequest, "tool" | "input" | "unsure" | "decidesAlone">,
): Promise<string> {
  const config = await openConfig({ cwd: world.project, env: world.env });
  await using gate = await openGate(config);
  return (await gate.explain(call, { as: "check" })).verdict;
}

const sh = (command: string, unsure: "abstain" | "ask" = "ask") => ({
  tool: "Bash",
  input: { command },
  unsure,
});

describe("where silence is a no, no file of a stranger makes it a question", () => {
  it.each([
    ["asks about everything", asksAlways, "rm -rf src"],
    ["asks about a path", asksAbout("src"), "rm -rf src"],
    ["denies something else, and nobody can tell", denies, "python3 -c x"],
    ["asks about doubts", `hooks: { unsure: ask }\n${denies}`, "python3 -c x"],
  ])("that %s", async (_, theirs, command) => {
    const world = createHookWorld();
    world.user("hooks: { default: deny }\n");
    world.write("toolgate.yaml", theirs);
    for (const unsure of ["ask", "abstain"] as const)
      expect(await verdictOf(world, sh(command, unsure))).toBe("deny");
    // A process of its own, with rules that were compiled before.
    for (let times = 0; times < 2; times++) expect((await world.claude(bash(command))).exitCode).toBe(2);
  });
});

it("a question of a stranger's file still stands where nothing was denied", async () => {
  const world = createHookWorld();
  world.user("policies:\n  mine: { tools: Bash, action: approve }\n");
  expect(await verdictOf(world, sh("npm test"))).toBe("allow");
  world.write("toolgate.yaml", asksAlways);
  expect(await verdictOf(world, sh("npm test"))).toBe("ask");
});

it("a question of the user's own file lifts the default", async () => {
  const world = createHookWorld();
  world.user(`hooks: { default: deny }\n${asksAlways}`);
  expect(await verdictOf(world, sh("rm -rf src"))).toBe("ask");
});

it("a doubt is no reason to ask where silence is a no, whoever wrote the rule", async () => {
  const world = createHookWorld();
  world.user(`hooks: { default: deny }\n${denies}`);
  expect(await verdictOf(world, sh("python3 -c x"))).toBe("deny");
});

it("a stranger's file opens nothing that is protected, and a trusted one does", async () => {
  const world = createHookWorld();
  const call = { tool: "Read", input: { file_path: ".env" }, decidesAlone: true };
  world.write(".env", "SECRET=1\n");
  expect(await verdictOf(world, call)).toBe("deny");
  world.write("toolgate.yaml", asksAbout(".env"));
  expect(await verdictOf(world, call)).toBe("deny");
  world.trust(join(world.project, "toolgate.yaml"));
  expect(await verdictOf(world, call)).toBe("ask");
});
