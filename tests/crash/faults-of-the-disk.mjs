// Full disks, held locks, folders that vanish, journals that are cut or hold garbage: nothing acknowledged is lost, and nothing goes unreported.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { inFolder, lookAt, lostOf, onDisk, startChild } from "./fault-parts.mjs";

const hook = fileURLToPath(new URL("../../dist/hook/hook.cjs", import.meta.url));
const random = (most) => Math.floor(Math.random() * most);

/** Each returns what was acknowledged, what of it is lost, and what should have been told and was not; undefined: not possible here. */
export const faults = {
  "disk full, stop, free": () =>
    onDisk(1_200 + random(600), async (disk, grow) => {
      const state = join(disk, "state");
      const child = await startChild(state, "full");
      await child.tell("fill");
      await child.tell("ready");
      const code = await child.end();
      grow();
      const { counts, problems } = await lookAt(state);
      const { ack, refused, ready, left } = child.said;
      return {
        acknowledged: ack.length,
        lost: lostOf(ack, counts),
        unreported: [
          ...missing(
            "a message that the disk is full",
            refused.every((text) => text.includes("is full")),
          ),
          ...missing("not ready", ready[0] !== "yes"),
          ...missing("a loud end", code === 1 && left[0]?.includes("journal/")),
          ...foreign(problems, ["rejected"]),
        ],
      };
    }),

  "lock held during close": () =>
    inFolder(async (folder) => {
      const state = join(folder, "state");
      const child = await startChild(state, "locked");
      await child.tell("write 40");
      const letGo = holdLock(state);
      await child.tell("write 40");
      const code = await child.end();
      letGo();
      const { counts, problems } = await lookAt(state);
      const { ack, left } = child.said;
      return {
        acknowledged: ack.length,
        lost: lostOf(ack, counts),
        unreported: [
          ...missing("a loud end", code === 1 && left[0]?.includes("journal/")),
          ...foreign(problems, []),
        ],
      };
    }),

  "state folder deleted": () =>
    inFolder(async (folder) => {
      const state = join(folder, "state");
      const child = await startChild(state, "deleted");
      await child.tell("write 40");
      const before = child.said.ack.length;
      rmSync(state, { recursive: true, maxRetries: 5 });
      // Half of the time another process makes a new one in its place.
      const other = random(2) === 0 ? await startChild(state, "other") : undefined;
      await other?.tell("write 16");
      await child.tell("write 40");
      await child.tell("ready");
      const code = await child.end();
      await other?.tell("write 16");
      await other?.end();
      const found = other && (await lookAt(state));
      const { ack, refused, ready, left } = child.said;
      return {
        acknowledged: ack.length - before + (other?.said.ack.length ?? 0),
        lost: [...ack.slice(before), ...lostOf(other?.said.ack ?? [], found?.counts)],
        unreported: [
          ...missing(
            "refusals",
            refused.length === 40 && refused.every((text) => text.includes("was deleted or replaced")),
          ),
          ...missing("not ready", ready[0] !== "yes"),
          ...missing("a loud end", code === 1 && left.length === 1),
          ...missing("a folder that stays away", other !== undefined || !existsSync(state)),
          ...foreign(found?.problems ?? [], []),
        ],
      };
    }),

  "journal cut": () =>
    inFolder(async (folder) => {
      const { state, acknowledged, file, text } = await killWithJournal(folder);
      const lastLine = text.length - 1 - text.lastIndexOf("\n", text.length - 2);
      const cut = text.subarray(0, text.length - 1 - random(lastLine - 2));
      writeFileSync(file, cut);
      return judge(state, acknowledged, text, cut);
    }),

  "journal with garbage": () =>
    inFolder(async (folder) => {
      const { state, acknowledged, file, text } = await killWithJournal(folder);
      const at = random(text.length);
      const kinds = [Buffer.from("null\n"), Buffer.alloc(1 + random(9_000)), Buffer.from("\n{}\n")];
      const rest = text.subarray(at + random(2) * random(300));
      const changed = Buffer.concat([text.subarray(0, at), kinds[random(3)], rest]);
      writeFileSync(file, changed);
      return judge(state, acknowledged, text, changed);
    }),

  "spool on a full disk": () =>
    onDisk(900, async (disk, grow) => {
      const state = join(disk, "toolgate");
      mkdirSync(join(disk, "home"));
      await (await startChild(state, "first")).end();
      fillUp(disk);
      const allowed = [];
      const unreported = [];
      for (let index = 0; index < 6; index++) await runHook(`full-${index}`);
      grow();
      for (let index = 0; index < 2; index++) await runHook(`free-${index}`);
      const { byUse, problems } = await lookAt(state);
      return {
        acknowledged: allowed.length,
        lost: lostOf(allowed, byUse),
        unreported: [
          ...unreported,
          ...missing("calls when there is room", allowed.includes("free-1")),
          ...foreign(problems, ["rejected"]),
        ],
      };

      async function runHook(id) {
        const { code, text } = await askHook(disk, id);
        if (code === 0) allowed.push(id);
        else if (!text.includes("is full"))
          unreported.push(`a message that the disk is full, not: ${text.trim()}`);
      }
    }),
};

/** A process that died with everything that it acknowledged still in its journal. */
async function killWithJournal(folder) {
  const state = join(folder, "state");
  const child = await startChild(state, "cut");
  const letGo = holdLock(state);
  await child.tell("write 40");
  await child.kill();
  letGo();
  const [name] = readdirSync(join(state, "journal"));
  const file = join(state, "journal", name);
  return { state, acknowledged: child.said.ack, file, text: readFileSync(file) };
}

/** What still stands there as it was written must be in the ledger, once; that something is gone or foreign must be told. */
async function judge(state, acknowledged, before, after) {
  const { counts, problems } = await lookAt(state);
  const doubled = acknowledged.filter((id) => (counts.get(id) ?? 0) > 1);
  const whole = before
    .toString("latin1")
    .split("\n")
    .filter((line) => line.startsWith("c\t") && after.includes(`${line}\n`, 0, "latin1"))
    .map((line) => /"callId":"([^"]+)"/.exec(line)?.[1]);
  return {
    acknowledged: acknowledged.length,
    lost: [...doubled, ...lostOf(whole, counts)],
    unreported: [
      ...missing(
        "verify that tells of it",
        problems.some(({ kind }) => kind === "rejected"),
      ),
      ...foreign(problems, ["rejected"]),
    ],
  };
}

function holdLock(state) {
  const database = new DatabaseSync(join(state, "toolgate.sqlite"), { timeout: 5_000 });
  database.exec("BEGIN IMMEDIATE");
  return () => database.close();
}

/** To the last byte. */
function fillUp(disk) {
  for (const bytes of [65_536, 4_096, 1])
    for (let index = 0; ; index++)
      try {
        writeFileSync(join(disk, `filler-${bytes}-${index}`), Buffer.alloc(bytes));
      } catch {
        break;
      }
}

async function askHook(disk, id) {
  const env = { HOME: join(disk, "home"), XDG_STATE_HOME: disk, PATH: process.env.PATH };
  const child = spawn(process.execPath, [hook], { env, cwd: join(disk, "home"), stdio: "pipe" });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  const input = { command: `echo ${"word ".repeat(200)}` };
  child.stdin.end(JSON.stringify({ tool_name: "Bash", tool_input: input, tool_use_id: id }));
  const [code] = await once(child, "close");
  return { code, text };
}

function missing(what, isThere) {
  return isThere === true ? [] : [what];
}

function foreign(problems, expected) {
  return problems.filter(({ kind }) => !expected.includes(kind)).map(({ message }) => message);
}
