/** A working day through the built hook, as Claude Code starts it: `toolgate init`, then each command, with a server and without. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ordinaryCommands } from "../ordinary-commands.ts";
import { askScript } from "./ask-script.ts";
import { type CliWorld, createCliWorld, type Ended } from "./cli-process.ts";

async function createProject(): Promise<CliWorld> {
  const world = createCliWorld();
  onTestFinished(() => world.close());
  expect((await world.run(["init", "--json"])).code).toBe(0);
  for (const name of [".env", ".env.example", "package.json"]) world.file(name, "x");
  return world;
}

function verdictOf({ code, out, err }: Ended): string {
  if (code === 2) return err.includes("(route ") ? "route" : `deny: ${err}`;
  if (code !== 0) return `broken: ${err}`;
  return /"permissionDecision":"(\w+)"/.exec(out)?.[1] ?? "silent";
}

function expectQuiet(verdicts: readonly string[]): void {
  expect(verdicts.filter((verdict) => !/^(?:silent|allow|ask|route)$/.test(verdict))).toEqual([]);
  expect(verdicts.filter((verdict) => verdict === "ask").length).toBeLessThanOrEqual(3);
  expect(verdicts.filter((verdict) => verdict === "route").length).toBeLessThanOrEqual(3);
}

it("passes every command through the script while a server runs", async () => {
  const world = await createProject();
  const { kill } = await world.serve();
  onTestFinished(async () => void (await kill()));
  const verdicts: string[] = [];
  // No node: only the server can have answered.
  for (const command of ordinaryCommands)
    verdicts.push(verdictOf(await askScript(world, command, join(world.folder, "no-node"))));
  expectQuiet(verdicts);
});

it("passes every fourth command through a process of its own without a server", async () => {
  const world = await createProject();
  const verdicts: string[] = [];
  for (const command of ordinaryCommands.filter((_, index) => index % 4 === 0))
    verdicts.push(verdictOf(await askScript(world, command, process.execPath)));
  expectQuiet(verdicts);
});
