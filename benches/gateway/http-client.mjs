// A client over Streamable HTTP: JSON or an event stream as the answer, the session of the older protocol, the headers of the newer one.

import { createConnections } from "./http-connections.mjs";

/** `how`: "lean" (sockets) or "fetch" (what most clients use, and what costs most in them). */
export function connectHttp({
  port,
  path = "/mcp",
  headers = {},
  how = "lean",
  connections = 64,
  modern = false,
}) {
  const lean = how === "lean" ? createConnections({ port, connections }) : undefined;
  const always = {
    ...headers,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(modern && { "MCP-Protocol-Version": "2026-07-28" }),
  };
  let head = headLines(always);
  let lastId = 0;

  const send = async (method, name, body) => {
    const named = modern
      ? { "Mcp-Method": method, ...(name !== undefined && { "Mcp-Name": name }) }
      : undefined;
    if (lean !== undefined)
      return lean.send("POST", path, named === undefined ? head : head + headLines(named), body);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: named === undefined ? always : { ...always, ...named },
      body,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  return {
    async request(method, params) {
      const id = ++lastId;
      const answer = await send(method, params.name, JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      const message = answer.status === 200 ? messageOf(answer.text, id) : undefined;
      if (message === undefined) throw new Error(`Answered ${answer.status}: ${answer.text.slice(0, 400)}`);
      if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
      if (method === "initialize") {
        const session =
          answer.headers?.get("mcp-session-id") ?? /\r\nmcp-session-id: *([^\r]+)/i.exec(answer.head)?.[1];
        if (session !== undefined && session !== null) always["Mcp-Session-Id"] = session;
        always["MCP-Protocol-Version"] = message.result.protocolVersion;
        head = headLines(always);
      }
      return message.result;
    },
    async notify(method, params) {
      await send(method, undefined, JSON.stringify({ jsonrpc: "2.0", method, params }));
    },
    close: () => lean?.close(),
  };
}

function headLines(headers) {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

function messageOf(text, id) {
  if (text.startsWith("{")) return JSON.parse(text);
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const message = JSON.parse(line.slice("data: ".length));
    if (message.id === id) return message;
  }
  return undefined;
}
