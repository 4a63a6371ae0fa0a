import { existsSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { diffOptions, fixedEnvironment, fixedSettings } from "../../src/sources/builtin/git/hardening.ts";
import { describeGit } from "../unit/sources/builtin/git/git-gate.ts";
import { trappedWorld, useEverything } from "./git-everything.ts";
import { type Trap, traps } from "./git-traps.ts";

/** Takes something of the hardening away until the test ends. */
function without(list: readonly string[], ...dropped: string[]): void {
  const own = list as string[];
  const before = [...own];
  own.splice(0, own.length, ...before.filter((one) => !dropped.some((start) => one.startsWith(start))));
  expect(own.length).toBe(before.length - dropped.length);
  onTestFinished(() => void own.splice(0, own.length, ...before));
}

function withoutVariable(name: string): void {
  const own = fixedEnvironment as Record<string, string>;
  const before = own[name] ?? "";
  delete own[name];
  onTestFinished(() => {
    own[name] = before;
  });
}

describeGit("the traps find these mistakes", () => {
  it.each([
    [
      "no word about the file system monitor",
      "a file system monitor",
      () => without(fixedSettings, "core.fsmonitor"),
    ],
    ["hooks left on", "the hook reference-transaction", () => without(fixedSettings, "core.hooksPath")],
    [
      "hooks in the work tree left on",
      "hooks in the work tree",
      () => without(fixedSettings, "core.hooksPath"),
    ],
    ["external diffs left on", "an external diff", () => without(diffOptions, "--no-ext-diff")],
    ["diff drivers left on", "a diff driver", () => without(diffOptions, "--no-ext-diff")],
    ["conversions to text left on", "a conversion to text", () => without(diffOptions, "--no-textconv")],
    [
      "a look into submodules",
      "a submodule with programs of its own",
      () => without(diffOptions, "--ignore-submodules", "--submodule"),
    ],
    [
      "signatures checked",
      "signatures shown in the log",
      () => without(fixedSettings, "log.showSignature", "gpg.program", "gpg.openpgp"),
    ],
    [
      "merges done again",
      "a merge that is done again to show what it changed",
      () => without(fixedSettings, "log.diffMerges"),
    ],
    [
      "transports left on",
      "a partial clone from a program",
      () => {
        without(fixedSettings, "protocol.allow", "protocol.ext.allow");
        withoutVariable("GIT_ALLOW_PROTOCOL");
        withoutVariable("GIT_NO_LAZY_FETCH");
      },
    ],
  ])("%s", async (_, name, weaken) => {
    const trap = traps[name] as Trap;
    const world = trappedWorld(trap);
    weaken();
    await useEverything(world, trap);
    expect(existsSync(world.pwned)).toBe(true);
  });
});
