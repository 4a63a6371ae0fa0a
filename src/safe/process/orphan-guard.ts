/** Ends our child processes when this process dies, also by SIGKILL: one small shell waits for that. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync, unlinkSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietly } from "../../core/run/quietly.ts";
import type { ProcessIdentity } from "./kill-tree.ts";
import { MARK_VARIABLE } from "./process-table.ts";

/**
 * The guard waits for the end of its input, which means that we are gone, however that happened. What is
 * running then stands in a file without a name that we share with it: writing there costs a few microseconds,
 * while a message would wake the guard for every call. What is not in the file yet is found by the mark in
 * its environment. One guard for all calls, because one for each would cost a second process.
 */
const GUARD_SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
mark=$1
while read -r _; do :; done
live=
while read -r entry; do live="$live $entry"; done <&3
started() {
  { read -r line < "/proc/$1/stat"; } 2>/dev/null || return 1
  set -- \${line##*) }
  shift 19
  now=$1
}
end() {
  kill -s "$1" -- "$2" 2>/dev/null && found=1
}
sweep() {
  groups=' '
  found=
  for entry in $live; do
    pid=\${entry%%:*}
    if started "$pid" && [ "$now" != "\${entry#*:}" ]; then continue; fi
    end "$1" "-$pid"
    groups="$groups$pid "
  done
  for folder in /proc/[0-9]*; do
    { read -r line < "$folder/stat"; } 2>/dev/null || continue
    pid=\${folder#/proc/}
    signal=$1
    set -- \${line##*) }
    case $groups in *" $4 "*) end "$signal" "$pid" ;; esac
    set -- "$signal"
  done
  for file in $(grep -lsF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    file=\${file#/proc/}
    [ "\${file%%/*}" = $$ ] || end "$1" "\${file%%/*}"
  done
}
sweep TERM
[ -n "$found" ] || exit 0
sleep 1
sweep KILL
sleep 0.1 2>/dev/null || sleep 1
sweep KILL
`;

/** Part of every mark, so that the guard knows all children of this process. */
const PROCESS_ID = randomBytes(9).toString("hex");

/** A cache of one: the guard is started with the first child and again if someone ended it. */
let guard: ChildProcess | undefined;
let register: Register | undefined;

/**
 * The value for `TOOLGATE_CALL`. A toolgate inside another keeps the outer mark: both find the child. The
 * guard runs before the child starts: if we are killed right then, the guard finds the child by its mark.
 */
export function newMark(): { readonly mark: string; readonly value: string } {
  openGuard();
  const mark = `${PROCESS_ID}.${randomBytes(6).toString("hex")}`;
  const outer = process.env[MARK_VARIABLE];
  return { mark, value: outer === undefined || outer.length > 500 ? mark : `${outer}/${mark}` };
}

/** Returns how to tell the guard that the process and all that belongs to it have ended. */
export function guardProcess(identity: ProcessIdentity): () => void {
  const open = openGuard();
  return open === undefined ? () => {} : open.add(`${identity.pid}:${identity.startTicks ?? "-"}`);
}

function openGuard(): Register | undefined {
  if (process.platform === "win32") return undefined;
  register ??= createRegister();
  guard ??= startGuard(register);
  return register;
}

function startGuard(shared: Register): ChildProcess {
  const outer = process.env[MARK_VARIABLE];
  const child = spawn("/bin/sh", ["-c", GUARD_SCRIPT, "toolgate-guard", `${PROCESS_ID}.`], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", ...(outer === undefined ? {} : { [MARK_VARIABLE]: outer }) },
    stdio: ["pipe", "ignore", "ignore", shared.file],
    detached: true,
  });
  const forget = (): void => {
    if (guard === child) guard = undefined;
  };
  child.once("error", forget);
  child.once("exit", forget);
  child.stdin?.on("error", forget);
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}

interface Register {
  readonly file: number | "ignore";
  /** Returns how to take it out again. */
  add(entry: string): () => void;
}

const SLOT_BYTES = 32;

/** One line of fixed length for each running process, used again when free, so the file stays short. */
function createRegister(): Register {
  const file = openUnnamed();
  const free: number[] = [];
  let slots = 0;
  const put = (slot: number, entry: string): void => {
    if (file === undefined) return;
    try {
      // At a given place: the guard shares our place in the file, and it must stay at the start.
      writeSync(file, `${entry.padEnd(SLOT_BYTES - 1)}\n`, slot * SLOT_BYTES);
    } catch {
      // A full disk must not leave a started process unguarded; the guard still knows it by its mark.
    }
  };
  return {
    file: file ?? "ignore",
    add(entry) {
      const slot = free.pop() ?? slots++;
      put(slot, entry);
      return () => {
        put(slot, "");
        free.push(slot);
      };
    },
  };
}

/** Undefined without a writable temporary folder: then the mark alone has to do. */
function openUnnamed(): number | undefined {
  const path = join(tmpdir(), `toolgate-${randomBytes(12).toString("hex")}`);
  return quietly(() => {
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return file;
  });
}
