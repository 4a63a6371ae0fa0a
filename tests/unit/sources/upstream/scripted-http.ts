/** A small MCP server over loopback HTTP that behaves as a test says, in either era. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import {
  connectUpstream,
  type UpstreamConnection,
} from "../../../../src/sources/upstream/talk/connect-upstream.ts";
import type {
  HttpSettings,
  UpstreamPorts,
  UpstreamSettings,
} from "../../../../src/sources/upstream/talk/connection.ts";
import { client, keep } from "./scripted-upstream.ts";

export interface Seen {
  readonly verb: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown> & {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
  };
  readonly result?: unknown;
}

export type Answer = (seen: Seen, response: ServerResponse) => unknown;

export interface ScriptedHttp {
  readonly url: string;
  readonly seen: Seen[];
  /** Asked before anything else; `undefined` goes on with what a good server does. */
  answer: Answer | undefined;
  sessions: Set<string>;
  close(): Promise<void>;
}

const running: ScriptedHttp[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

export async function scriptedHttp(
  era: "legacy" | "modern",
  answer?: Answer,
  port = 0,
): Promise<ScriptedHttp> {
  const server: Server = createServer();
  const seen: Seen[] = [];
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const scripted: ScriptedHttp = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    answer,
    sessions: new Set(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one: Seen = {
      verb: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      message: body.startsWith("{") ? JSON.parse(body) : {},
    };
    seen.push(one);
    if ((await scripted.answer?.(one, response)) !== undefined || response.writableEnded) return;
    (era === "legacy" ? legacy : modern)(scripted, one, response);
  });
  running.push(scripted);
  return scripted;
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
  return true;
}

export function events(response: ServerResponse): (message: unknown, id?: string) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  return (message, id) =>
    response.write(
      `${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`,
    );
}

export const result = (id: number | undefined, value: object) => ({ jsonrpc: "2.0", id, result: value });
export const textResult = (text: string) => ({ content: [{ type: "text", text }] });

const failed = (id: number | null | undefined, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const serverInfo = { name: "http", version: "1.0.0" };
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } };

function legacy(server: ScriptedHttp, { verb, headers, message }: Seen, response: ServerResponse): void {
  const { id, method, params } = message;
  if (method === "initialize") {
    const session = `session-${server.seen.length}`;
    server.sessions.add(session);
    const value = { protocolVersion: params?.protocolVersion, capabilities, serverInfo };
    json(response, 200, result(id, value), { "mcp-session-id": session });
    return;
  }
  const session = headers["mcp-session-id"];
  if (typeof session !== "string") {
    json(response, 400, failed(null, -32000, "Mcp-Session-Id is required"));
  } else if (!server.sessions.has(session)) {
    json(response, 404, failed(null, -32001, "Session not found"));
  } else if (verb === "DELETE") {
    server.sessions.delete(session);
    response.writeHead(200).end();
  } else if (verb === "GET") response.writeHead(405).end();
  else if (id === undefined || method === undefined) response.writeHead(202).end();
  else json(response, 200, reply(message));
}

function modern(_server: ScriptedHttp, { message }: Seen, response: ServerResponse): void {
  const { id, method } = message;
  if (method === "server/discover") {
    const _meta = { "io.modelcontextprotocol/serverInfo": serverInfo };
    const versions = { resultType: "complete", supportedVersions: ["2026-07-28"] };
    const value = { ...versions, capabilities, ttlMs: 0, cacheScope: "private", _meta };
    json(response, 200, result(id, value));
  } else if (method === "initialize") json(response, 400, failed(id, -32601, "Method not found"));
  else if (method === "subscriptions/listen") {
    const params = { _meta: { "io.modelcontextprotocol/subscriptionId": id } };
    events(response)({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
  } else json(response, 200, reply(message));
}

function reply({ id, method, params }: Message): unknown {
  if (method === "tools/call") return result(id, textResult(JSON.stringify(params?.arguments)));
  if (method === "tools/list")
    return result(id, { tools: [{ name: "echo", inputSchema: { type: "object" } }] });
  if (method === "resources/read") return result(id, { contents: [{ uri: params?.uri, text: "text" }] });
  return failed(id, -32601, "Method not found");
}

export function overHttp(
  url: string,
  transport: Partial<HttpSettings> = {},
  settings: Partial<UpstreamSettings> = {},
  ports: Partial<UpstreamPorts> = {},
): UpstreamConnection {
  return keep(
    connectUpstream(
      { name: "remote", transport: { kind: "http", url, ...transport }, timeoutMs: 5_000, ...settings },
      { client, ...ports },
    ),
  );
}
