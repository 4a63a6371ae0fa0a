// Keeps a real server busy for a while, with clients that are killed again and again. Memory must stay flat after the
// first minute, and no file descriptor may be left over. `npm run test:soak -- --minutes 10 --rate 500`
//
// Two numbers are taken for memory. What lives after each full collection shows a leak at once. The resident memory
// includes the space for new objects, which V8 doubles a few times in the first minutes until its own limit.

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
if (!existsSync(at("../dist/cli.js"))) {
  console.log("dist/ is not built. Run npm run build first.");
  process.exit(1);
}
const { createFileTokens } = await import("../dist/stores/files/file-tokens.js");
const { giveToken } = await import("../dist/surfaces/http/tokens/give-token.js");

const { values: options } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, rate: { type: "string", default: "500" } },
});
const minutes = Number(options.minutes);
const rate = Number(options.rate);
const clientCount = 8;
const sampleMs = 2_000;
const killEveryMs = 3_000;
/** By so much the resident memory may differ between its early and its late part. */
const mostGrowth = 0.15;
/** By so much what lives after a full collection may differ. */
const mostLiveGrowth = 0.1;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-soak-")));
const home = join(folder, "home");
const project = join(folder, "project");
mkdirSync(join(home, ".config", "toolgate"), { recursive: true });
mkdirSync(join(project, ".git"), { recursive: true });
writeFileSync(
  join(home, ".config", "toolgate", "config.yaml"),
  [
    "tools: { enabled_categories: [editing, shell] }",
    "policies: { yes: { tools: '*', action: approve } }",
    "server: { limits: { max_per_minute: 1000000000 } }",
    "",
  ].join("\n"),
);
const command = ["--trace-gc", at("../dist/cli.js"), "serve", "--port", "0", "--json"];
const server = spawn(process.execPath, command, {
  cwd: project,
  env: { PATH: process.env.PATH, HOME: home },
  stdio: ["ignore", "pipe", "inherit"],
});
let ended = false;
server.once("exit", () => {
  ended = true;
});
const started = Promise.withResolvers();
/** Megabytes that live after each full collection of the main thread: `[PID:THREAD] 591 ms: Mark-Compact 18.4 (33.8) -> 16.1 (34.5) MB`. */
const live = [];
let mainThread;
createInterface({ input: server.stdout }).on("line", (line) => {
  if (line.startsWith("{")) return started.resolve(line);
  const collection = /^\[\d+:(\w+)\].*Mark-Compact.* -> ([\d.]+) /.exec(line);
  if (collection === null) return;
  mainThread ??= collection[1];
  if (collection[1] === mainThread) live.push({ at: performance.now(), mb: Number(collection[2]) });
});
const { url, tokenFile } = JSON.parse(await started.promise);
const port = Number(new URL(url).port);
const tokens = [];
for (let index = 0; index < clientCount; index++)
  tokens.push(
    (
      await giveToken(createFileTokens(dirname(tokenFile)), {
        name: `soak-${index}`,
        rights: ["call", "read"],
      })
    ).token,
  );
let stopping = true;
const totals = { ok: 0, failed: 0, skipped: 0, killed: 0, first: undefined };
// What is opened once and for all is opened by the first calls.
const first = tokens.map((token, index) => startClient(token, index));
await sleep(6_000);
for (const client of first) client.kill("SIGKILL");
await sleep(4_000);
const descriptorsBefore = countDescriptors();
const openBefore = openThings();

stopping = false;
const clients = tokens.map((token, index) => startClient(token, index));
const samples = [];
const began = performance.now();
const endAt = began + minutes * 60_000;
let killAt = began + killEveryMs;
let next = 0;
while (performance.now() < endAt && !ended) {
  await sleep(sampleMs);
  if (ended) break;
  samples.push({ ms: performance.now() - began, mb: residentMb(), descriptors: countDescriptors() });
  if (performance.now() >= killAt) {
    killAt += killEveryMs;
    const index = next++ % clientCount;
    totals.killed++;
    clients[index].kill("SIGKILL");
    clients[index] = startClient(tokens[index], index);
  }
  if (samples.length % 15 === 0) tell();
}
stopping = true;
for (const client of clients) client.kill("SIGKILL");
const descriptorsAfter = await descriptorsAtRest();
report();

function startClient(token, index) {
  const settings = { port, token, name: `${index}`, perSecond: rate / clientCount };
  const child = fork(at("../tests/soak/client.mjs"), [JSON.stringify(settings)], {
    stdio: ["ignore", 2, 2, "ipc"],
  });
  child.on("message", ({ ok, failed, skipped, first }) => {
    if (stopping) return;
    totals.ok += ok;
    totals.failed += failed;
    totals.skipped += skipped;
    totals.first ??= first;
  });
  return child;
}

function residentMb() {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1_024;
}

function countDescriptors() {
  return readdirSync(`/proc/${server.pid}/fd`).length;
}

/** What the descriptors lead to, without the numbers that differ each time. */
function openThings() {
  return readdirSync(`/proc/${server.pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${server.pid}/fd/${fd}`).replace(/\[\d+\]|\.\d+(?=\.jsonl)/g, "")];
    } catch {
      return [];
    }
  });
}

/** A file of the state folder that is open once is no leak: some are opened by the first work of their kind, minutes after the start. */
function leftOver() {
  const before = openBefore.slice();
  const now = openThings();
  return now.filter((thing) => {
    const index = before.indexOf(thing);
    if (index !== -1) before.splice(index, 1);
    const isOwn = thing.startsWith(`${dirname(tokenFile)}/`) && now.indexOf(thing) === now.lastIndexOf(thing);
    return index === -1 && !isOwn;
  });
}

/** Connections of killed clients end a moment after them. */
async function descriptorsAtRest() {
  for (let tries = 0; tries < 20 && !ended && countDescriptors() > descriptorsBefore; tries++)
    await sleep(1_000);
  return ended ? 0 : countDescriptors();
}

function tell() {
  const { ms, mb, descriptors } = samples.at(-1);
  console.log(
    `${Math.round(ms / 1_000)} s: ${totals.ok} calls, ${totals.failed} failed, ${totals.killed} clients killed, ${mb.toFixed(0)} MB, ${descriptors} descriptors`,
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The first and the last quarter of what was measured after the warm-up. */
function compare(measured) {
  if (measured.length === 0) return undefined;
  const mb = measured.map((one) => one.mb);
  const part = Math.max(1, Math.floor(mb.length / 4));
  const [early, late] = [median(mb.slice(0, part)), median(mb.slice(-part))];
  return { early, late, growth: late / early - 1, most: Math.max(...mb) };
}

function describe(memory) {
  if (memory === undefined) return "not measured";
  const { early, late, growth, most } = memory;
  return `${early.toFixed(1)} MB early, ${late.toFixed(1)} MB late (${(growth * 100).toFixed(1)} %), at most ${most.toFixed(1)} MB`;
}

function report() {
  // Of a short run the first half warms up.
  const warmMs = Math.min(60_000, minutes * 30_000);
  const resident = compare(samples.filter(({ ms }) => ms >= warmMs));
  const kept = compare(live.filter(({ at }) => at - began >= warmMs && at <= endAt));
  const seconds = minutes * 60;
  console.log(
    [
      `${totals.ok} calls in ${seconds} s (${Math.round(totals.ok / seconds)}/s), ${totals.failed} failed, ${totals.skipped} not made because the server was behind; ${totals.killed} clients killed`,
      `live after full collections: ${describe(kept)}`,
      `resident: ${describe(resident)}`,
      `file descriptors: ${descriptorsBefore} before, ${descriptorsAfter} after, at most ${Math.max(...samples.map(({ descriptors }) => descriptors))}`,
      ...(totals.first === undefined ? [] : [`the first failure: ${totals.first}`]),
    ].join("\n"),
  );
  const wrong = [
    ...(ended ? ["the server ended"] : []),
    ...(totals.ok === 0 ? ["no call was made"] : []),
    ...(totals.failed > 0 ? [`${totals.failed} calls failed`] : []),
    ...(kept === undefined ? ["there was no full collection: the run is too short"] : []),
    ...(kept?.growth > mostLiveGrowth ? ["what lives grows"] : []),
    ...(resident.growth > mostGrowth ? ["resident memory grows"] : []),
    ...(!ended && leftOver().length > 0 ? [`file descriptors are left over: ${leftOver().join(", ")}`] : []),
  ];
  console.log(wrong.length === 0 ? "The soak is clean." : `Wrong: ${wrong.join("; ")}.`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
server.kill("SIGTERM");
await Promise.race([once(server, "exit"), sleep(15_000)]);
server.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
