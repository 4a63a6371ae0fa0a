/** Uses every git tool on a hostile repository and tells after which call the file appeared that must not. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createGate } from "../../src/index.ts";
import { createGitTools } from "../../src/sources/builtin/git/git-tools.ts";
import { info } from "../../src/sources/builtin/workspace/info.ts";
import { approveAll, git } from "../unit/sources/builtin/git/git-gate.ts";
import { makeChanges, makeWorld, type Trap, type World } from "./git-traps.ts";

/** `last`: what would spring while the world is made. */
export function trappedWorld(trap: Trap, last?: (world: World) => void): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-hostile-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const world = makeWorld(base);
  trap.set(world);
  makeChanges(world);
  last?.(world);
  rmSync(world.pwned, { force: true });
  return world;
}

/** With plain git, as a person runs it. */
export function springs(world: World, { plain = [] }: Trap): boolean {
  for (const args of plain) {
    try {
      git(world.root, ...args);
    } catch {
      // It may well fail, after it has run the program.
    }
  }
  return existsSync(world.pwned);
}

export interface Used {
  readonly call: string;
  readonly code: string;
  readonly pwned: boolean;
}

/** Every tool in every way. Commits come last, because they take the changes away. */
export async function useEverything(world: World, { path }: Trap): Promise<readonly Used[]> {
  const tools = createGitTools();
  const gate = await createGate({
    tools: [...tools.tools, info],
    roots: [world.root],
    enable: { enabledCategories: ["development"] },
    policies: [approveAll],
  });
  onTestFinished(async () => {
    await gate.close();
    await tools.close();
  });
  const used: Used[] = [];
  const call = async (tool: string, input: object, context: object = {}) => {
    const outcome = await gate.dispatch({ tool, input, sessionId: "s", ...context });
    const said = outcome.result.structured as { code?: string } | undefined;
    const code = outcome.ok ? "ok" : (said?.code ?? outcome.error.code);
    used.push({ call: `${tool} ${JSON.stringify(input)}`, code, pwned: existsSync(world.pwned) });
    return outcome.ok ? (outcome.value as { id?: string }).id : undefined;
  };
  const places = path === undefined ? [{}] : [{}, { cwd: join(world.root, path) }];
  let saved: string | undefined;
  for (const context of places) {
    for (const [tool, input] of looks) await call(tool, input, context);
    saved = (await call("git.checkpoint", { action: "save" }, context)) ?? saved;
  }
  rmSync(join(world.root, "new.txt"));
  await call("git.checkpoint", { action: "restore", id: saved ?? "20260101-000000000-abcd" });
  await call("git.checkpoint", { action: "list" });
  await call("git.checkpoint", { action: "delete", id: saved ?? "20260101-000000000-abcd" });
  if (path !== undefined) await call("git.status", { path });
  await call("git.commit", { message: "staged" });
  await call("git.commit", { message: "one", paths: ["new.txt"] });
  for (const context of places) await call("git.commit", { message: "all", all: true }, context);
  await call("git.commit", { message: "nothing", all: true });
  return used;
}

const looks: readonly (readonly [string, object])[] = [
  ["workspace.info", {}],
  ["git.status", {}],
  ["git.diff_summary", {}],
  ["git.diff", {}],
  ["git.diff", { commit: "HEAD~1..HEAD" }],
  ["git.log", {}],
  ["git.status", { path: "." }],
  ["git.diff_summary", { staged: true }],
  ["git.diff", { staged: true }],
  ["git.diff", { base: "HEAD~1" }],
  ["git.diff", { commit: "HEAD" }],
  ["git.diff", { commit: "HEAD~1" }],
  ["git.diff", { commit: "HEAD~2..HEAD~1" }],
  ["git.log", { path: "." }],
  ["git.log", { author: "Ann", message: "first" }],
];

/** Nothing of the repository runs; and not because nothing worked: it can be looked at, or is refused as what it is. */
export async function expectNothingRun(trap: Trap): Promise<void> {
  const used = await useEverything(trappedWorld(trap), trap);
  expect(used.filter(({ pwned }) => pwned)).toEqual([]);
  const looked = used.filter(({ call }) => call.startsWith("git.status")).map(({ code }) => code);
  expect(looked).toContain(trap.refused ?? "ok");
  if (trap.refused !== undefined) expect(used.filter(({ code }) => code === "ok").length).toBeLessThan(2);
}
