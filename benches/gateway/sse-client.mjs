// A client of the older HTTP with SSE transport: requests are posted, all answers come on one stream.

import { request as httpRequest } from "node:http";
import { createConnections } from "./http-connections.mjs";

export async function connectSse({ port, path = "/sse", headers = {}, connections = 64 }) {
  const lean = createConnections({ port, connections });
  const waiting = new Map();
  const head = Object.entries({ ...headers, "Content-Type": "application/json" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  let lastId = 0;
  let endpoint;
  const found = Promise.withResolvers();
  const incoming = httpRequest({
    port,
    host: "127.0.0.1",
    path,
    headers: { ...headers, accept: "text/event-stream" },
  });
  incoming.on("error", found.reject);
  incoming.on("response", (response) => {
    if (response.statusCode !== 200) found.reject(new Error(`The stream answered ${response.statusCode}.`));
    let kept = "";
    response.setEncoding("utf8");
    response.on("error", () => {});
    response.on("data", (text) => {
      const lines = (kept + text).split("\n");
      kept = lines.pop();
      for (const line of lines) onLine(line);
    });
  });
  const onLine = (line) => {
    if (!line.startsWith("data: ")) return;
    const data = line.slice("data: ".length).trimEnd();
    if (!data.startsWith("{")) return found.resolve(data.replace(/^https?:\/\/[^/]+/, ""));
    const message = JSON.parse(data);
    const pending = message.method === undefined ? waiting.get(message.id) : undefined;
    if (pending === undefined) return;
    waiting.delete(message.id);
    if (message.error === undefined) pending.resolve(message.result);
    else pending.reject(new Error(JSON.stringify(message.error)));
  };
  incoming.end();
  endpoint = await found.promise;
  const post = async (message) => {
    const { status, text } = await lean.send("POST", endpoint, head, JSON.stringify(message));
    if (status >= 300) throw new Error(`Answered ${status}: ${text.slice(0, 400)}`);
  };
  return {
    request(method, params) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        post({ jsonrpc: "2.0", id, method, params }).catch(reject);
      });
    },
    notify: (method, params) => post({ jsonrpc: "2.0", method, params }),
    close() {
      incoming.destroy();
      lean.close();
    },
  };
}
