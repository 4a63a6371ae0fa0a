// What a day of real work does to a server: many sessions that read, write and edit files and run commands, over REST.

import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { median } from "../measure.mjs";

const sessions = 16;
const rounds = 5;
const roundMs = 1_500;
const text = Array.from({ length: 60 }, (_, index) => `const line${index} = ${index};`).join("\n");

/** Calls a second of each tool, interleaved, by as many clients as there are sessions (or all in one session), each with its own file. */
export async function measureFiles({ port, token, folder }, oneSession) {
  mkdirSync(join(folder, "src"), { recursive: true });
  for (let client = 0; client < sessions; client++)
    writeFileSync(join(folder, "src", `${client}.ts`), `${text}\nconst count = 0;\n`);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const counts = Array.from({ length: sessions }, () => 0);
  const inputs = {
    "fs.read": (client) => ({ path: `src/${client}.ts` }),
    "fs.write": (client) => ({
      path: `src/${client}.ts`,
      content: `${text}\nconst count = ${++counts[client]};\n`,
    }),
    "fs.edit": (client) => ({
      path: `src/${client}.ts`,
      old_string: `const count = ${counts[client]};`,
      new_string: `const count = ${++counts[client]};`,
    }),
  };
  const perSecond = Object.fromEntries(Object.keys(inputs).map((tool) => [tool, []]));
  for (let round = -1; round < rounds; round++)
    for (const [tool, inputOf] of Object.entries(inputs)) {
      let calls = 0;
      const began = performance.now();
      await Promise.all(
        counts.map(async (_, client) => {
          while (performance.now() - began < roundMs) {
            const session = oneSession ? "session" : `session-${client}`;
            await call({ port, token, agent }, tool, inputOf(client), session);
            calls++;
          }
        }),
      );
      // The first round warms up.
      if (round >= 0) perSecond[tool].push((calls / (performance.now() - began)) * 1_000);
    }
  agent.destroy();
  return Object.fromEntries(
    Object.entries(perSecond).map(([tool, values]) => [
      tool,
      {
        perSecond: median(values),
        share: median(values.map((value, round) => value / perSecond["fs.read"][round])),
      },
    ]),
  );
}

/** Twenty sessions run a command of half a second at the same time. */
export async function measureCommands({ port, token }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call({ port, token, agent }, "shell.exec", { command: "sleep 0.5" }, `command-${index}`),
    ),
  );
  agent.destroy();
  return performance.now() - began;
}

/** Reads and writes of one session while another runs a command of six seconds: milliseconds of each call, in order. */
export async function measureNeighbour({ port, token }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const slow = call({ port, token, agent }, "shell.exec", { command: "sleep 6" }, "slow");
  const tookMs = [];
  const one = async (tool, input) => {
    const began = performance.now();
    await call({ port, token, agent }, tool, input, "quick");
    tookMs.push(performance.now() - began);
  };
  for (let index = 0; index < 100; index++) await one("fs.read", { path: "src/0.ts" });
  for (let index = 0; index < 20; index++)
    await one("fs.write", { path: `src/new-${index}.ts`, content: "export {};\n" });
  await slow;
  agent.destroy();
  return tookMs.sort((a, b) => a - b);
}

function call({ port, token, agent }, tool, input, sessionId) {
  const body = JSON.stringify({ input, sessionId });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: "127.0.0.1",
        agent,
        method: "POST",
        path: `/api/tools/${tool}/call`,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        incoming.on("end", () =>
          text.startsWith('{"ok":true') ? resolve() : reject(new Error(`${tool}: ${text.slice(0, 400)}`)),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
