// One client of a soak: makes calls at a steady rate until it is killed, and tells its parent once a second how they ended.

import { Agent, request } from "node:http";

const { port, token, name, perSecond } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const tickMs = 20;
const mostWaiting = 40;
/** Its own, also after a client of the same name was killed in the middle of a change. */
const own = `${name}-${process.pid}`;
const path = `soak-${own}.txt`;
let turn = 0;
let waiting = 0;
let due = 0;
let told = none();
/** Changes come one after the other, as those of one conversation do. */
let lastChange = call("fs.write", { path, content: "count 0\n" }, own);
let count = 0;

await lastChange;
setInterval(() => {
  due += (perSecond * tickMs) / 1_000;
  for (; due >= 1; due--) {
    if (waiting < mostWaiting) void one();
    else told.skipped++;
  }
}, tickMs);
setInterval(() => {
  process.send(told);
  told = none();
}, 1_000);

function none() {
  return { ok: 0, failed: 0, skipped: 0, first: undefined };
}

async function one() {
  waiting++;
  turn++;
  try {
    if (turn % 500 === 5) await call("shell.exec", { command: "echo soak" }, `${own}-shell`);
    else if (turn % 40 === 0)
      await change(() => call("fs.write", { path, content: `count ${++count}\n` }, own));
    else if (turn % 40 === 20)
      await change(() =>
        call("fs.edit", { path, old_string: `count ${count}`, new_string: `count ${++count}` }, own),
      );
    else await call("fs.read", { path }, `${own}-${turn % 4}`);
    told.ok++;
  } catch (error) {
    told.failed++;
    told.first ??= String(error);
  } finally {
    waiting--;
  }
}

function change(work) {
  lastChange = lastChange.then(work, work);
  return lastChange;
}

function call(tool, input, sessionId) {
  const body = JSON.stringify({ input, sessionId });
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const outgoing = request(
      { host: "127.0.0.1", port, agent, method: "POST", path: `/api/tools/${tool}/call`, headers },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        incoming.on("error", reject);
        incoming.on("end", () =>
          text.startsWith('{"ok":true') ? resolve() : reject(new Error(`${tool}: ${text.slice(0, 300)}`)),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
