/**
 * Runs the suites one after the other and ends with a table of the seconds that each took. `.ci/run` runs what must hold before a change
 * lands, `npm run test:full` everything. It needs nothing but Node 20 and npm, because it also runs `npm ci`.
 */
import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** Before a change lands. `isFirst`: without it the others say nothing. */
const landing = [
  { name: "install", command: "npm ci", isFirst: true },
  { name: "test", command: "npm test", isFirst: true },
  { name: "package", command: "npm run test:package" },
  { name: "conformance", command: "npm run test:conformance" },
  { name: "slow", command: "npm run test:slow" },
  { name: "alone", command: "npm run test:alone" },
  { name: "console", command: "npm run test:console" },
  { name: "scale", command: "npm run test:scale" },
  { name: "crash", command: "npm run test:crash -- --rounds 3 --fault-rounds 2 --writers-seconds 10" },
  { name: "agents", command: "npm run test:agents -- --agent claude-code --agent codex --agent opencode" },
];

/** Everything: all rounds, all agents, and what takes too long for every change. `isBeside`: the following suites do not wait for it. */
const everything = [
  ...landing.filter(({ name }) => !["install", "crash", "agents"].includes(name)),
  { name: "long", command: "npm run test:long" },
  {
    name: "killed replicas",
    command: "npm run test:scale -- killed-replicas",
    env: { TOOLGATE_SCALE_MINUTES: "30" },
    isBeside: true,
  },
  { name: "agents", command: "npm run test:agents" },
  { name: "guards", command: "npm run test:guards" },
  { name: "shell", command: "npm run test:shell" },
  { name: "crash", command: "npm run test:crash" },
  { name: "soak", command: "npm run test:soak -- --minutes 10" },
];

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    "budget-minutes": { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const suites = values.full ? everything : landing;
const names = suites.map(({ name }) => name);
if (values.help) {
  console.log(`Usage: node scripts/run-suites.mjs [--full] [--only SUITE ...] [--budget-minutes N]

  --full              everything, not only what must hold before a change lands
  --only SUITE        only this suite; can be repeated
  --budget-minutes N  fail when all suites together take longer

Suites: ${names.join(", ")}.
Examples:
  node scripts/run-suites.mjs --budget-minutes 40
  node scripts/run-suites.mjs --full --only crash --only shell`);
  process.exit(0);
}
const unknown = values.only?.find((name) => !names.includes(name));
const budget = values["budget-minutes"] === undefined ? Infinity : Number(values["budget-minutes"]) * 60;
if (unknown !== undefined) fail(`there is no suite ${unknown}; the suites are ${names.join(", ")}`);
if (!(budget > 0)) fail(`--budget-minutes must be a number above 0, not ${values["budget-minutes"]}`);

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const children = new Set();
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    for (const child of children) process.kill(-child.pid, signal);
    process.exit(130);
  });

const startedAt = performance.now();
const rows = [];
const beside = [];
for (const suite of suites.filter(({ name }) => values.only?.includes(name) ?? true)) {
  if (suite.isBeside) {
    beside.push(runBeside(suite));
    continue;
  }
  console.log(`\n== ${suite.name}: ${suite.command}`);
  rows.push(await run(suite, "inherit"));
  if (suite.isFirst && !rows.at(-1).ok) break;
}
rows.push(...(await Promise.all(beside)));

const total = secondsSince(startedAt);
const width = Math.max(...rows.map(({ name }) => name.length), 5);
const line = (name, seconds, rest) => `${name.padEnd(width)}  ${String(seconds).padStart(7)}  ${rest}`;
console.log(`\n${line("suite", "seconds", "result")}`);
for (const { name, seconds, ok } of rows) console.log(line(name, seconds, ok ? "passed" : "failed"));
console.log(line("total", total, budget === Infinity ? "" : `of ${budget}`));
const failed = rows.filter(({ ok }) => !ok).length;
if (total > budget) console.log(`The suites took longer than their budget of ${budget} seconds.`);
console.log(`suites: ${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || total > budget ? 1 : 0;

/** Resolves when it has ended. A process group of its own: Ctrl-C ends what it has started, too. */
function run({ name, command, env }, output) {
  const begun = performance.now();
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...(values.full && { TOOLGATE_TIER: "full" }), ...env },
  });
  children.add(child);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ name, ok: code === 0, seconds: secondsSince(begun) });
    });
  });
}

/** Its output is shown when it has ended: not between the lines of others. */
async function runBeside(suite) {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-suite-"));
  const log = join(folder, "log");
  const output = createWriteStream(log);
  await new Promise((resolve) => output.once("open", resolve));
  const row = await run(suite, output);
  console.log(`\n== ${suite.name}: ${suite.command} (beside others)\n${readFileSync(log, "utf8")}`);
  rmSync(folder, { recursive: true });
  return row;
}

function secondsSince(start) {
  return Math.round((performance.now() - start) / 1_000);
}

function fail(message) {
  console.error(`run-suites: ${message}`);
  process.exit(2);
}
