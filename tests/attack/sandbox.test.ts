import { dirname } from "node:path";
import { expect, it } from "vitest";
import { planSandbox, type SandboxPlan } from "../../src/safe/sandbox/sandbox-process.ts";
import { describeSandbox } from "../unit/safe/sandbox/describe-sandbox.ts";
import { attackSandbox, type SandboxScene, sandboxAttacks } from "./sandbox-attacks.ts";

async function plan({ workspace, home, state }: SandboxScene, network = false): Promise<SandboxPlan> {
  const planned = await planSandbox({
    mode: "required",
    writableRoots: [workspace],
    // The attack on the network needs Node, which may lie in the folder for temporary files, where the sandbox hides it.
    readOnlyRoots: [dirname(process.execPath)],
    protectedPaths: { hidden: [state] },
    network,
    home,
  });
  if (!planned.ok) throw new Error(planned.message);
  return planned;
}

describeSandbox("attacks from inside the sandbox", () => {
  it.each(Object.keys(sandboxAttacks))("do not get through: %s", async (name) => {
    expect(await attackSandbox(plan, [name])).toEqual([]);
  });
});

/** The same sandbox with some of its arguments taken away. */
function without(change: (args: string[], scene: SandboxScene) => string[]) {
  return async (scene: SandboxScene): Promise<SandboxPlan> => {
    const planned = await plan(scene);
    return {
      ...planned,
      wrap: (command, args, place) => {
        const wrapped = planned.wrap(command, args, place);
        const end = wrapped.args.indexOf("--");
        return {
          command: wrapped.command,
          args: [...change(wrapped.args.slice(0, end), scene), ...wrapped.args.slice(end)],
        };
      },
    };
  };
}

/** Takes options with their arguments away. */
function drop(args: string[], size: number, matches: (words: string[]) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; ) {
    if (matches(args.slice(at, at + size))) at += size;
    else kept.push(args[at++]!);
  }
  return kept;
}

describeSandbox("the attacks find these mistakes", () => {
  type Plan = (scene: SandboxScene) => Promise<SandboxPlan>;
  const withoutWord = (word: string) => without((args) => args.filter((one) => one !== word));
  const isOver = (option: string, end: string) => (words: string[]) =>
    words[0] === option && words.at(-1)!.endsWith(end);
  const ofHome = (option: string, home: string) => (words: string[]) =>
    words[0] === option && words[1]!.startsWith(home);
  const mutants: [string, Plan, string[]][] = [
    ["the network is not cut", withoutWord("--unshare-net"), ["reach a server on loopback"]],
    [
      "processes are shared",
      withoutWord("--unshare-pid"),
      ["see other processes", "signal a process outside"],
    ],
    [
      "the whole disk is writable",
      without((args) =>
        args.map((word, at) => (word === "--ro-bind" && args[at + 1] === "/" ? "--bind" : word)),
      ),
      ["write outside of the workspace"],
    ],
    [
      "keys are not hidden",
      without((args, { home }) =>
        drop(drop(args, 2, ofHome("--tmpfs", home)), 2, ofHome("--remount-ro", home)),
      ),
      ["read a key"],
    ],
    [
      "hooks are not locked",
      without((args) => drop(args, 3, ([option, path]) => option === "--ro-bind" && path!.includes(".git"))),
      ["plant a git hook"],
    ],
    [
      "the folder of the hooks can be moved",
      without((args) => drop(args, 3, isOver("--bind", ".git"))),
      ["plant a git hook by moving the folder aside"],
    ],
    [
      "a parent is mounted again over what was locked",
      without((args, { workspace }) => [...args, "--bind", `${workspace}/.git`, `${workspace}/.git`]),
      ["plant a git hook"],
    ],
    [
      "nobody looks through the workspace afterwards",
      async (scene) => {
        const { guard: _, ...planned } = await plan(scene);
        return planned;
      },
      ["plant what was not there"],
    ],
    [
      "secrets of the workspace are not covered",
      without((args) =>
        drop(args, 3, (words) => words[1] === "/dev/null" && isOver("--ro-bind", ".env")(words)),
      ),
      ["read a secret of the workspace"],
    ],
    [
      "the temporary folder is shared",
      without((args) => [...args, "--bind", "/tmp", "/tmp"]),
      ["leave something in the temporary folder"],
    ],
  ];
  it.each(mutants)("%s", async (_, broken, caughtBy) => {
    expect(await attackSandbox(broken, caughtBy)).toEqual(caughtBy);
  });
});
