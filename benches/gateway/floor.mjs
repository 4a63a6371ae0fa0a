// The least that a gateway can do: other ids towards the upstream, the caller's own back, nothing else.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const upstream = spawn(process.execPath, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
const ids = new Map();
let last = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) ids.set(++last, message.id);
  upstream.stdin.write(`${JSON.stringify(message.id === undefined ? message : { ...message, id: last })}\n`);
});
createInterface({ input: upstream.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  const id = ids.get(message.id);
  ids.delete(message.id);
  process.stdout.write(`${JSON.stringify({ ...message, id })}\n`);
});
process.stdin.on("end", () => upstream.kill());
