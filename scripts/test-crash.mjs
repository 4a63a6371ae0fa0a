/** `npm run test:crash`: kills processes at named places while another one uses the same store, and looks at what is left. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { points } from "../tests/crash/points.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    point: { type: "string", multiple: true },
    "writers-seconds": { type: "string", default: "30" },
    "fault-rounds": { type: "string", default: "20" },
    fault: { type: "string", multiple: true },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  console.log(`Usage: npm run test:crash -- [--rounds 50] [--point NAME ...] [--writers-seconds 30] [--fault-rounds 20] [--fault NAME ...]

Points: ${Object.keys(points).join(", ")}.`);
  process.exit(0);
}
if (!existsSync("dist/open/open-store.js")) {
  console.log("dist/ is not built. Run npm run build first.");
  process.exit(1);
}
const { checkRound, newlySeen } = await import("../tests/crash/check-round.mjs");
const bundle = mkdtempSync(join(tmpdir(), "toolgate-crash-child-"));
const child = await bundleChild(bundle);
const rounds = Number(values.rounds);
const chosen = values.point ?? Object.keys(points);
const maxRecoveryMs = 2_000;

const total = {
  rounds: 0,
  killed: 0,
  lost: 0,
  unrecorded: 0,
  doubled: 0,
  unknown: 0,
  acknowledged: 0,
  effects: 0,
  recoveryMs: 0,
  problems: 0,
};
const startedAt = performance.now();
const waiting = [...chosen];
// Two at a time: a round mostly waits for its process to start.
await Promise.all([lane(), lane()]);
const writers =
  Number(values["writers-seconds"]) > 0
    ? await (await import("../tests/crash/four-writers.mjs")).fourWriters(Number(values["writers-seconds"]))
    : undefined;
if (writers !== undefined) console.log(writers.summary);

const faults = await runFaults(Number(values["fault-rounds"]), values.fault);

rmSync(bundle, { recursive: true, force: true });
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(
  `${chosen.length} kill points x ${rounds} rounds, two processes on one file: ${total.killed} killed, ${total.lost} acknowledged rows lost of ${total.acknowledged}, ` +
    `${total.unrecorded} effects without an intent, ${total.doubled} double effects of ${total.effects}, ${total.unknown} unknown, slowest recovery ${Math.round(total.recoveryMs)} ms, ` +
    `${total.problems} problems, ${seconds} s`,
);
const failed =
  total.problems > 0 ||
  total.killed !== total.rounds ||
  total.recoveryMs > maxRecoveryMs ||
  writers?.ok === false ||
  !faults.ok;
process.exitCode = failed ? 1 : 0;

/** What no kill shows: the disk, the folder and the files go wrong. */
async function runFaults(count, only) {
  if (count === 0) return { ok: true };
  const { faults: all } = await import("../tests/crash/faults-of-the-disk.mjs");
  const sums = { acknowledged: 0, lost: 0, unreported: 0, skipped: 0 };
  for (const name of only ?? Object.keys(all)) {
    const sum = { rounds: 0, acknowledged: 0, lost: 0, unreported: 0 };
    for (let round = 0; round < count; round++) {
      const found = await all[name]();
      if (found === undefined) {
        console.log(`${name}: skipped, no disk can be mounted here`);
        sums.skipped += 1;
        break;
      }
      sum.rounds += 1;
      sum.acknowledged += found.acknowledged;
      sum.lost += found.lost.length;
      sum.unreported += found.unreported.length;
      if (found.lost.length > 0)
        console.log(`${name}, round ${round}: lost ${found.lost.slice(0, 3).join(", ")}`);
      for (const what of found.unreported) console.log(`${name}, round ${round}: not reported: ${what}`);
    }
    if (sum.rounds > 0)
      console.log(
        `${name}: ${sum.rounds} rounds, ${sum.lost} acknowledged rows lost of ${sum.acknowledged}, ${sum.unreported} unreported`,
      );
    for (const key of ["acknowledged", "lost", "unreported"]) sums[key] += sum[key];
  }
  console.log(
    `faults of the disk: ${sums.lost} acknowledged rows lost of ${sums.acknowledged}, ${sums.unreported} unreported, ${sums.skipped} skipped`,
  );
  return { ok: sums.lost === 0 && sums.unreported === 0 };
}

/** In one file it starts in half the time, and starting is most of what a round costs. */
async function bundleChild(outdir) {
  const here = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));
  await build({
    entryPoints: { child: here("tests/crash/child.mjs"), worker: here("src/stores/sqlite/worker.ts") },
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    banner: {
      // Under a name that nothing in the bundle has.
      js: 'import { createRequire as requireOfBundle } from "node:module"; const require = requireOfBundle(import.meta.url);',
    },
  });
  copyFileSync(here("tests/crash/faults.mjs"), join(outdir, "faults.mjs"));
  return join(outdir, "child.js");
}

async function lane() {
  for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) await runPoint(point);
}

async function runPoint(point) {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-crash-"));
  mkdirSync(join(folder, "state", "spool"), { recursive: true, mode: 0o700 });
  const survivor = start({ folder, name: "survivor", point: "", at: 0, survives: true }, [
    "pipe",
    "pipe",
    "inherit",
  ]);
  await once(survivor.stdout, "data");
  let last;
  let slowest = 0;
  let problems = 0;
  const seen = newlySeen();
  for (let round = 0; round < rounds; round++) {
    const name = `victim-${round}`;
    const at = 1 + Math.floor(Math.random() * points[point]);
    const victim = start({ folder, name, point, at, survives: false }, ["ignore", "inherit", "inherit"]);
    const ended = once(victim, "exit");
    if (point === "any-time") {
      await sleep(150 + Math.random() * 350);
      victim.kill("SIGKILL");
    }
    const [code, signal] = await ended;
    total.rounds += 1;
    if (signal === "SIGKILL") total.killed += 1;
    else if (point === "any-time" && code === 7) total.killed += 1;
    else console.log(`${point}, round ${round}: it was not killed (${code ?? signal}).`);
    last = await checkRound(folder, name, { seen, thorough: round % 10 === 0 });
    slowest = Math.max(slowest, last.recoveryMs);
    problems += last.problems.length;
    for (const problem of last.problems) console.log(`${point}, round ${round}: ${problem}`);
    if (problems > 20) break;
  }
  survivor.stdin.end();
  await once(survivor, "exit");
  last = await checkRound(folder, "survivor");
  problems += last.problems.length;
  for (const problem of last.problems) console.log(`${point}, at the end: ${problem}`);
  for (const name of ["lost", "unrecorded", "doubled", "unknown", "acknowledged", "effects"])
    total[name] += last[name];
  total.recoveryMs = Math.max(total.recoveryMs, slowest);
  total.problems += problems;
  console.log(
    `${point}: ${rounds} rounds, ${last.rows} rows, ${last.unknown} unknown, slowest recovery ${Math.round(slowest)} ms${problems > 0 ? `, ${problems} PROBLEMS, kept in ${folder}` : ""}`,
  );
  if (problems === 0) rmSync(folder, { recursive: true, force: true });
}

function start(options, stdio) {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", child, JSON.stringify(options)], {
    stdio,
  });
}
