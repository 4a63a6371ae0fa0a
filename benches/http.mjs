// Requests per second of `toolgate serve`, next to the bare HTTP library that answers a constant of the same size.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "./http/drive.mjs";
import { measureCommands, measureFiles, measureNeighbour } from "./http/files.mjs";
import { bar, median, round3, table } from "./measure.mjs";

const connections = 64;
const rounds = 11;
const roundMs = 400;
const input = '{"input":{"a":2,"b":40}}';

export async function run() {
  const toolgate = start("toolgate-server");
  const { port, token } = await message(toolgate);
  const get = request(port, "GET", "/api/tools", token);
  const post = request(port, "POST", "/api/tools/math.add/call", token, input);
  const answers = { tools: await answerOf(port, token), call: await answerOf(port, token, input) };
  if (JSON.parse(answers.call).ok !== true) throw new Error(`The call was refused: ${answers.call}`);

  const bareTools = await startBare(answers.tools);
  const bareCall = await startBare(answers.call);
  const subjects = [
    {
      name: "bare: a constant as long as the list",
      server: bareTools.child,
      port: bareTools.port,
      text: get,
    },
    { name: "GET /api/tools", server: toolgate, port, text: get, base: 0, atMost: 1 / 0.6, bar: 0.6 },
    {
      name: "bare: a constant as long as an outcome",
      server: bareCall.child,
      port: bareCall.port,
      text: post,
    },
    {
      name: "POST /api/tools/math.add/call",
      server: toolgate,
      port,
      text: post,
      base: 2,
      atMost: 4,
      bar: 0.25,
    },
  ];
  for (const one of subjects) {
    one.client = await createClient({ port: one.port, request: one.text, connections });
    one.perSecond = [];
    one.cpuUs = [];
    one.batch = await sizeBatch(one);
  }
  let calls = 0;
  for (let round = 0; round < rounds; round++)
    for (const one of subjects) {
      const before = await cpuOf(one.server);
      const startedAt = performance.now();
      await one.client.run(one.batch);
      one.perSecond.push((one.batch / (performance.now() - startedAt)) * 1_000);
      one.cpuUs.push(((await cpuOf(one.server)) - before) / one.batch);
      if (one.base === 2) calls += one.batch;
    }
  toolgate.send("records");
  const { records } = await message(toolgate);
  if (records < calls) throw new Error(`${calls} calls were made and ${records} recorded.`);
  for (const { client } of subjects) client.close();
  for (const child of [toolgate, bareTools.child, bareCall.child]) child.disconnect();
  const { rows, bars } = report(subjects);
  const work = await measureWork();
  return { rows: [...rows, ...work.rows], bars: [...bars, ...work.bars] };
}

/** Reads, writes, edits and commands of many sessions: a write and an edit at least 0.3 of the reads, commands twenty at a time. */
async function measureWork() {
  const server = start("toolgate-server", ["files"]);
  const place = await message(server);
  const many = await measureFiles(place, false);
  const one = await measureFiles(place, true);
  const commandsMs = await measureCommands(place);
  const neighbour = await measureNeighbour(place);
  server.disconnect();
  const tools = Object.keys(many);
  const cells = ({ perSecond, share }) => [Math.round(perSecond).toLocaleString("en"), share.toFixed(2)];
  console.log(
    table(
      ["", "16 sessions: calls/s", "of fs.read", "one session: calls/s", "of fs.read"],
      tools.map((tool) => [tool, ...cells(many[tool]), ...cells(one[tool])]),
    ),
  );
  const p99 = neighbour[Math.ceil(neighbour.length * 0.99) - 1];
  console.log(`20 commands of 0.5 s in 20 sessions: ${(commandsMs / 1_000).toFixed(2)} s`);
  console.log(`100 reads and 20 writes beside a command of 6 s: p99 ${p99.toFixed(1)} ms`);
  const changes = tools.filter((tool) => tool !== "fs.read");
  const flat = (value) => ({ value, low: value, high: value });
  return {
    rows: [
      ...tools.map((tool) => ({
        name: `POST ${tool} in 16 sessions`,
        perSecond: Math.round(many[tool].perSecond),
        ofRead: round3(many[tool].share),
        ofReadInOneSession: round3(one[tool].share),
      })),
      { name: "20 commands of 0.5 s", ms: round3(commandsMs) },
      { name: "calls beside a command of 6 s, p99", ms: round3(p99) },
    ],
    bars: [
      ...changes.map((tool) =>
        bar(`fs.read calls/s over ${tool}'s`, flat(1 / many[tool].share), round3(1 / 0.3)),
      ),
      bar("20 commands of 0.5 s, over one of them", flat(commandsMs / 500), 10),
      bar("p99 of calls beside a command of 6 s, over 50 ms", flat(p99 / 50), 1),
    ],
  };
}

function report(subjects) {
  const lines = [];
  const rows = [];
  const bars = [];
  for (const one of subjects) {
    const base = one.base === undefined ? undefined : subjects[one.base];
    const shares = base && one.perSecond.map((value, round) => value / base.perSecond[round]);
    const share = shares && median(shares);
    const cpuShare = base && median(one.cpuUs.map((value, round) => value / base.cpuUs[round]));
    lines.push([
      one.name,
      Math.round(median(one.perSecond)).toLocaleString("en"),
      median(one.cpuUs).toFixed(1),
      share === undefined ? "" : share.toFixed(2),
      cpuShare === undefined ? "" : cpuShare.toFixed(2),
      one.bar === undefined ? "" : `>= ${one.bar}`,
    ]);
    rows.push({
      name: one.name,
      perSecond: Math.round(median(one.perSecond)),
      cpuUs: round3(median(one.cpuUs)),
      ...(share !== undefined && { share: round3(share), cpuRatio: round3(cpuShare) }),
    });
    if (shares === undefined) continue;
    const sorted = shares.map((value) => 1 / value).sort((a, b) => a - b);
    const at = (part) => sorted[Math.round((sorted.length - 1) * part)];
    // A bar is what something may cost at most: the bare library's requests for each of ours.
    const value = { value: 1 / share, low: at(0.25), high: at(0.75) };
    bars.push(bar(`${one.name}: bare requests/s over ours`, value, round3(one.atMost)));
  }
  console.log(table(["", "requests/s", "CPU us", "of bare", "CPU x bare", "bar"], lines));
  return { rows, bars };
}

/** So many that a round is long enough, after as many to warm up. */
async function sizeBatch({ client }) {
  for (let batch = connections * 4; ; batch *= 2) {
    const startedAt = performance.now();
    await client.run(batch);
    const tookMs = performance.now() - startedAt;
    if (tookMs >= roundMs) return Math.max(connections, Math.round((batch * roundMs) / tookMs));
  }
}

async function startBare(body) {
  const child = start("bare-server");
  child.send({ body, headers: [] });
  return { child, port: (await message(child)).port };
}

function start(name, args = []) {
  return fork(fileURLToPath(new URL(`http/${name}.mjs`, import.meta.url)), args, {
    stdio: ["ignore", 2, 2, "ipc"],
  });
}

async function message(child) {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error("The server ended before it could be measured."));
  child.once("exit", onExit);
  const [first] = await once(child, "message", { signal: ended.signal });
  child.off("exit", onExit);
  return first;
}

/** In microseconds, of the whole process: the ledger's thread counts. */
async function cpuOf(child) {
  child.send("cpu");
  const { cpu } = await message(child);
  return cpu.user + cpu.system;
}

function request(port, method, path, token, body = "") {
  const head = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`];
  if (body !== "") head.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

async function answerOf(port, token, body) {
  const path = body === undefined ? "/api/tools" : "/api/tools/math.add/call";
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body }),
  });
  if (!response.ok) throw new Error(`Answered ${response.status}: ${await response.text()}`);
  return response.text();
}
