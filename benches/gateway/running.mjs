// One contestant that runs: its process, a client that is connected to it, and the same over fetch.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectHttp } from "./http-client.mjs";
import { openSession } from "./session.mjs";
import { connectSse } from "./sse-client.mjs";
import { connectStdio, endProcess } from "./stdio-client.mjs";

const startTimeoutMs = 30_000;

/** Gives `{ pid, startMs, tool, session, fetchSession?, close }` once the list of tools has been answered. */
export async function start(contestant, { tools = 1, folder }) {
  const place = await preparePlace(contestant, { tools, folder });
  const startedAt = performance.now();
  const opened =
    contestant.over === "stdio" ? openStdio(contestant, place) : await openHttp(contestant, place);
  try {
    const { session, listed } = await firstList(contestant, opened, startedAt);
    const startMs = performance.now() - startedAt;
    const tool = listed.find(({ name }) => name.endsWith("echo"))?.name;
    if (tool === undefined) throw new Error("It does not list the upstream's tool.");
    await session.call(tool);
    return {
      ...opened,
      startMs,
      tool,
      session,
      listed: listed.length,
      ...(contestant.over === "http" && {
        fetchSession: await openSession(await opened.connect("fetch"), contestant),
      }),
    };
  } catch (error) {
    await opened.close();
    throw new Error(`${error.message} ${opened.said?.() ?? ""}`.trim());
  }
}

/** A folder for a contestant is prepared once; what it keeps there is there at its next start. */
async function preparePlace(contestant, { tools, folder }) {
  const own = join(folder, `${contestant.key}-${tools}`);
  const port = contestant.over === "stdio" ? undefined : String(await freePort());
  const place = { tools, folder: own, port };
  if (mkdirSync(join(own, "home"), { recursive: true }) !== undefined) contestant.prepare?.(place);
  // Nothing of this process's settings: NODE_EXTRA_CA_CERTS alone doubles the start of some versions of Node.
  const env = { PATH: process.env.PATH, HOME: join(own, "home"), NODE_ENV: "production" };
  return { ...place, env };
}

function openStdio(contestant, place) {
  const transport = connectStdio({
    command: process.execPath,
    args: contestant.args(place),
    env: place.env,
    cwd: place.folder,
  });
  return { pid: transport.pid, connect: () => transport, close: () => transport.close() };
}

async function openHttp(contestant, place) {
  const child = spawn(process.execPath, contestant.args(place), {
    env: place.env,
    cwd: place.folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  const clients = [];
  const connect = async (how) => {
    const to = { port: place.port, headers: contestant.headers?.(place), modern: contestant.modern, how };
    const client = contestant.over === "sse" ? await connectSse(to) : connectHttp(to);
    clients.push(client);
    return client;
  };
  return {
    pid: child.pid,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    said: () => said.trim(),
    connect,
    async close() {
      for (const client of clients) client.close();
      await endProcess(child);
    },
  };
}

/** A server over HTTP says in its own way that it listens, so it is asked until it answers. */
async function firstList(contestant, opened, startedAt) {
  for (;;) {
    try {
      const session = await openSession(await opened.connect("lean"), contestant);
      return { session, listed: await session.listTools() };
    } catch (error) {
      const mayCome = error.code === "ECONNREFUSED" && opened.ended?.() === false;
      if (!mayCome || performance.now() - startedAt > startTimeoutMs) throw error;
      await sleep(5);
    }
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
