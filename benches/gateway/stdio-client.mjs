// A client over stdio that costs as little as possible: JSON lines, ids matched in a map, requests of one turn written together.

import { spawn } from "node:child_process";
import { readLines } from "./lines.mjs";

/** Starts the server. `ended` says what it wrote to stderr, for the message when it cannot be measured. */
export function connectStdio({ command, args, env, cwd }) {
  const child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  let said = "";
  let dead;
  let unwritten = "";
  child.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  child.stdin.on("error", () => {});
  const end = (why) => {
    dead ??= new Error(`${why} ${said.trim()}`.trim());
    for (const { reject } of waiting.values()) reject(dead);
    waiting.clear();
  };
  child.once("error", (error) => end(error.message));
  child.once("exit", (code, signal) => end(`Ended with ${signal ?? code}.`));
  readLines(child.stdout, (lines) => {
    for (const line of lines) {
      const message = parse(line);
      const pending = message?.method === undefined ? waiting.get(message?.id) : undefined;
      if (pending === undefined) continue;
      waiting.delete(message.id);
      if (message.error === undefined) pending.resolve(message.result);
      else pending.reject(new Error(JSON.stringify(message.error)));
    }
  });
  const write = (message) => {
    if (unwritten === "") queueMicrotask(flush);
    unwritten += `${JSON.stringify(message)}\n`;
  };
  const flush = () => {
    child.stdin.write(unwritten);
    unwritten = "";
  };
  let lastId = 0;
  return {
    pid: child.pid,
    request(method, params) {
      if (dead !== undefined) return Promise.reject(dead);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        write({ jsonrpc: "2.0", id, method, params });
      });
    },
    notify: (method, params) => write({ jsonrpc: "2.0", method, params }),
    close: () => endProcess(child),
  };
}

/** Closes its stdin first, as a client does; kills what stays. */
export async function endProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  const term = setTimeout(() => child.kill("SIGTERM"), child.stdin === null ? 0 : 1_000);
  const kill = setTimeout(() => child.kill("SIGKILL"), 4_000);
  await gone;
  clearTimeout(term);
  clearTimeout(kill);
}

/** Some peers write their log to stdout. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
