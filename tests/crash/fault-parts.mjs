// What the faults are made of: a child that is told what to do, a disk of one's own, and a look at what is left.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const { openStore } = await import("../../dist/open/open-store.js");
const program = fileURLToPath(new URL("./fault-child.mjs", import.meta.url));

/** Starts a child; `tell` resolves when it has done what it was told. */
export async function startChild(folder, name) {
  const args = ["--disable-warning=ExperimentalWarning", program, JSON.stringify({ folder, name })];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const said = { ack: [], refused: [], ready: [], left: [] };
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [word] = line.split(" ", 1);
    if (word === "done" || word === "open") waiting.shift()?.();
    else said[word].push(line.slice(word.length + 1));
  });
  const heard = () => new Promise((resolve) => waiting.push(resolve));
  const exited = once(child, "close");
  await heard();
  return {
    said,
    tell(command) {
      const done = heard();
      child.stdin.write(`${command}\n`);
      return done;
    },
    /** Returns its exit code. */
    async end() {
      child.stdin.end("close\n");
      return (await exited)[0];
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-fault-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined where no disk can be mounted. */
export async function onDisk(kilobytes, work) {
  return inFolder(async (folder) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mount = (options) => spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]).status === 0;
    if (!mount(`size=${kilobytes}k`)) return undefined;
    try {
      const grow = () => spawnSync("mount", ["-o", `remount,size=${kilobytes * 8}k`, disk]);
      return await work(disk, grow);
    } finally {
      spawnSync("umount", ["-l", disk]);
    }
  });
}

/** How often each call is in the ledger as a completion, and what verify says. */
export async function lookAt(folder) {
  const store = await openStore({ stateFolder: folder });
  try {
    await store.ledger.takeSpool();
    const counts = new Map();
    const byUse = new Map();
    for (let page = { next: 0 }; page.next !== undefined; ) {
      page = await store.ledger.query(
        { kinds: ["completion"] },
        { order: "oldest", limit: 1_000, after: page.next },
      );
      for (const { callId, body } of page.entries) {
        counts.set(callId, (counts.get(callId) ?? 0) + 1);
        if (body.toolUseId !== undefined) byUse.set(body.toolUseId, (byUse.get(body.toolUseId) ?? 0) + 1);
      }
    }
    const { problems } = await store.ledger.verify();
    return { counts, byUse, problems };
  } finally {
    await store.close();
  }
}

/** Acknowledged calls that are not in the ledger exactly once. */
export function lostOf(acknowledged, counts) {
  return acknowledged.filter((id) => counts.get(id) !== 1);
}
