/** The process and the server must find the same project for the same call: whoever can choose the way in could choose the rules. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  bash,
  createHookWorld,
  type HookWorld,
  serveHooks,
  settle,
} from "../unit/surfaces/hook/hook-world.ts";

interface Case {
  readonly name: string;
  /** Where the call says that it happens. */
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
  /** Where the hook is started. */
  readonly startedIn: string;
  /** Whose rule must speak; undefined: none. */
  readonly rulesOf: string | undefined;
}

/** Each place has a rule that says its name. */
function createPlaces(world: HookWorld): readonly Case[] {
  const at = (...path: string[]) => join(world.base, ...path);
  for (const name of ["one", "two"]) {
    mkdirSync(at(name, ".git"), { recursive: true });
    mkdirSync(at(name, "src/deep"), { recursive: true });
    world.write(
      at(name, "toolgate.yaml"),
      `routes:\n  r: {tool: Bash, pattern: '^where$', message: 'rules of ${name}'}\n`,
    );
  }
  // A worktree: `.git` is a file.
  world.write(at("tree/.git"), `gitdir: ${at("one/.git/worktrees/tree")}\n`);
  world.write(
    at("tree/toolgate.yaml"),
    "routes:\n  r: {tool: Bash, pattern: '^where$', message: 'rules of tree'}\n",
  );
  world.write(at("tree/src/a.txt"), "");
  // A repository inside of another one, without rules of its own.
  mkdirSync(at("one/vendor/inner/.git"), { recursive: true });
  mkdirSync(at("empty"));
  symlinkSync(at("one"), at("link-to-one"));
  symlinkSync(at("one/src/deep"), at("two/link-into-one"));
  symlinkSync(at("nowhere"), at("two/broken"));
  mkdirSync(at("one/gone/below"), { recursive: true });
  rmSync(at("one/gone"), { recursive: true });
  const startedIn = at("empty");
  return [
    { name: "the call's folder, not the hook's", cwd: at("one"), startedIn: at("two"), rulesOf: "one" },
    { name: "the hook's folder where the call has none", startedIn: at("two"), rulesOf: "two" },
    { name: "a folder below", cwd: at("one/src/deep"), startedIn, rulesOf: "one" },
    { name: "a link to a project", cwd: at("link-to-one"), startedIn, rulesOf: "one" },
    { name: "a folder below a link", cwd: at("link-to-one/src"), startedIn, rulesOf: "one" },
    { name: "a link in one project into another", cwd: at("two/link-into-one"), startedIn, rulesOf: "one" },
    { name: "dots behind a link", cwd: `${at("two/link-into-one")}/..`, startedIn, rulesOf: "one" },
    { name: "a folder that is gone", cwd: at("one/gone/below"), startedIn, rulesOf: "one" },
    { name: "a gone folder behind a link", cwd: at("link-to-one/gone"), startedIn, rulesOf: "one" },
    { name: "a link that leads nowhere", cwd: at("two/broken"), startedIn, rulesOf: "two" },
    { name: "a worktree", cwd: at("tree/src"), startedIn: at("one"), rulesOf: "tree" },
    { name: "a repository in a repository", cwd: at("one/vendor/inner"), startedIn, rulesOf: undefined },
    { name: "a relative folder", cwd: "one", startedIn: at("two"), rulesOf: "two" },
    { name: "an empty folder", cwd: "", startedIn: at("two"), rulesOf: "two" },
    { name: "slashes and dots", cwd: `${at("two")}//../one/./src/`, startedIn, rulesOf: "one" },
    { name: "what the agent names first", project: at("two"), cwd: at("one"), startedIn, rulesOf: "two" },
    { name: "an agent's name that is a link", project: at("link-to-one/src"), startedIn, rulesOf: "one" },
    { name: "an agent's name that is relative", project: "two", cwd: at("one"), startedIn, rulesOf: "one" },
    { name: "an agent's name that is empty", project: "", cwd: at("one"), startedIn, rulesOf: "one" },
    {
      name: "an agent's name that is gone",
      project: at("one/gone"),
      cwd: at("two"),
      startedIn,
      rulesOf: "one",
    },
  ];
}

it("the process and the server find the same project, from wherever the call comes", async () => {
  const world = createHookWorld();
  const cases = createPlaces(world);
  await settle();
  const served = await serveHooks(world);
  for (const { name, cwd, project, startedIn, rulesOf } of cases) {
    const call = bash("where", { ...(cwd !== undefined && { cwd }) });
    const options = { env: { CLAUDE_PROJECT_DIR: project }, cwd: startedIn };
    // In the bare form nobody names a project.
    const ways = [world.claude, served.claude, ...(project === undefined ? [world.run] : [])];
    for (const ask of ways) {
      const { stderr } = await ask(call, options);
      expect(/rules of (\w+)/.exec(stderr)?.[1], name).toBe(rulesOf);
    }
  }
});
