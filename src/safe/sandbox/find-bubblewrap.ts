/** Finds bubblewrap and tries whether it really isolates on this machine. */

import { accessSync, constants, readlinkSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { words } from "../../core/text/words.ts";
import { runProcess } from "../process/spawn.ts";
import { isolationArguments } from "./isolation.ts";

export type SandboxTest =
  | { readonly works: true; readonly canDisableNesting: boolean }
  | { readonly works: false; readonly why: string };

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** A `bwrap` in the workspace could be a script that sandboxes nothing: such folders do not count. */
export function findBubblewrap(
  workspaces: readonly string[],
  path = process.env.PATH ?? "",
): string | undefined {
  if (process.platform !== "linux") return undefined;
  for (const folder of [...SYSTEM_FOLDERS, ...path.split(delimiter)]) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, "bwrap");
    try {
      accessSync(file, constants.X_OK);
      const real = realpathSync(file);
      if (!workspaces.some((root) => isInside(real, root))) return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** Bounded: one entry for each place where bubblewrap was found. */
const tests = new Map<string, Promise<SandboxTest>>();
const MAX_TESTS = 8;

export function sandboxWorks(bwrap: string): Promise<SandboxTest> {
  let test = tests.get(bwrap);
  if (test === undefined) {
    if (tests.size >= MAX_TESTS) tests.clear();
    test = tryBubblewrap(bwrap);
    tests.set(bwrap, test);
  }
  return test;
}

async function tryBubblewrap(bwrap: string): Promise<SandboxTest> {
  const full = await tryWith(bwrap, true);
  if (full === undefined) return { works: true, canDisableNesting: true };
  // Versions before 0.8 do not know that option.
  const older = await tryWith(bwrap, false);
  return older === undefined ? { works: true, canDisableNesting: false } : { works: false, why: older };
}

/** Undefined: it works. Namespaces are compared: an impostor can print anything but not leave ours. */
async function tryWith(bwrap: string, canDisableNesting: boolean): Promise<string | undefined> {
  const namespaces = ["pid", "net", "mnt", "ipc"].map((name) => `/proc/self/ns/${name}`);
  const end = await runProcess({
    command: bwrap,
    args: [
      ...isolationArguments({ network: false, canDisableNesting }),
      ...words("--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp -- readlink"),
      ...namespaces,
    ],
    cwd: "/",
    timeoutMs: 10_000,
  });
  if (!end.started) return end.message;
  if (end.exitCode !== 0)
    return end.stderr.trim().slice(0, 300) || `it ended with ${end.exitCode ?? end.signal}`;
  const inside = end.stdout.trim().split("\n");
  const separate =
    inside.length === namespaces.length && inside.every((line, at) => isOther(line, namespaces[at]!));
  return separate ? undefined : "it ran the test command without isolating it";
}

function isOther(namespace: string, path: string): boolean {
  return /^[a-z]+:\[\d+\]$/.test(namespace) && namespace !== readlinkSync(path);
}
