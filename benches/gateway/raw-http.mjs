// The HTTP library with JSON-RPC on it, no SDK. Alone it answers the calls itself (what HTTP costs without any gateway); with an
// upstream as arguments it passes every message on (the least that a gateway over HTTP can do). `raw-http.mjs PORT [upstream]`.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { catalogue } from "./catalogue.mjs";
import { readLines } from "./lines.mjs";

const [port, ...upstream] = process.argv.slice(2);
const pass = upstream.length > 0 ? passOn(upstream) : answerAlone;

createServer((incoming, outgoing) => {
  const parts = [];
  incoming.on("data", (part) => parts.push(part));
  incoming.on("end", () => {
    const message = JSON.parse(Buffer.concat(parts).toString());
    pass(message, (answer) => {
      if (answer === undefined) return outgoing.writeHead(202).end();
      const text = JSON.stringify(answer);
      outgoing.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      outgoing.end(text);
    });
  });
}).listen(Number(port), "127.0.0.1");

function answerAlone({ id, method, params }, give) {
  if (id === undefined) return give();
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "raw", version: "1.0.0" },
    }),
    "tools/list": () => ({ tools: catalogue(1) }),
    "tools/call": () => ({ content: [{ type: "text", text: params.arguments.text }] }),
  };
  give({ jsonrpc: "2.0", id, result: results[method]() });
}

function passOn(args) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let last = 0;
  readLines(child.stdout, (lines) => {
    for (const line of lines) {
      const message = JSON.parse(line);
      const { id, give } = waiting.get(message.id);
      waiting.delete(message.id);
      give({ ...message, id });
    }
  });
  return (message, give) => {
    if (message.id === undefined) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return give();
    }
    waiting.set(++last, { id: message.id, give });
    child.stdin.write(`${JSON.stringify({ ...message, id: last })}\n`);
  };
}
