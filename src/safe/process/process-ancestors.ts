/** The processes above one, up to the first. From /proc on Linux, from ps(1) elsewhere. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { quietly } from "../../core/run/quietly.ts";
import { readAnyProcess } from "./process-table.ts";

export interface Ancestor {
  readonly pid: number;
  /** The file that it runs, links followed; undefined where it belongs to somebody else. */
  readonly program: string | undefined;
  /** As it was started, or as it calls itself now. */
  readonly argv: readonly string[];
}

/** Nearest first, without the process itself. */
export function readAncestors(pid: number, platform: NodeJS.Platform = process.platform): Ancestor[] {
  if (platform === "linux") return climb(pid, (one) => readAnyProcess(one)?.parent, describeLinux);
  if (platform === "win32") return [];
  const table = readPs();
  return climb(
    pid,
    (one) => table.get(one)?.parent,
    (one) => ({ pid: one, program: undefined, argv: table.get(one)?.argv ?? [] }),
  );
}

function climb(
  pid: number,
  parentOf: (pid: number) => number | undefined,
  describe: (pid: number) => Ancestor,
): Ancestor[] {
  const found: Ancestor[] = [];
  // Parents are older than children, so the way up ends; the bound is for a table that changes meanwhile.
  for (let one = parentOf(pid); one !== undefined && one > 0 && found.length < 1_000; one = parentOf(one))
    found.push(describe(one));
  return found;
}

function describeLinux(pid: number): Ancestor {
  return { pid, program: quietly(() => readlinkSync(`/proc/${pid}/exe`)), argv: readArgv(pid) };
}

function readArgv(pid: number): string[] {
  return (quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "").split("\0").filter(Boolean);
}

/** Words are told apart by spaces there: a name with one in it is cut, never joined to another. */
function readPs(): Map<number, { readonly parent: number; readonly argv: readonly string[] }> {
  const options = { encoding: "utf8", timeout: 5_000, maxBuffer: 32 * 1024 * 1024 } as const;
  const text = quietly(() => execFileSync("/bin/ps", ["-axww", "-o", "pid=,ppid=,args="], options)) ?? "";
  return new Map(
    text.split("\n").flatMap((line) => {
      const [pid, parent, ...argv] = line.trim().split(/\s+/);
      return pid === undefined || pid === ""
        ? []
        : [[Number(pid), { parent: Number(parent), argv }] as const];
    }),
  );
}
