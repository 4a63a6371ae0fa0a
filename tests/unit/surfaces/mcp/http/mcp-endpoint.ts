/** The endpoint on a real socket with tools that tests steer, and a client without any comfort. */
import { vi } from "vitest";
import { metaKeys } from "../../../../../src/mcp/messages.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../../../http-server.ts";
import { add, createGatedTool } from "../../../../tools.ts";

/** The tool slow.wait, which ends when the test says so. */
export interface Gated {
  readonly tool: ReturnType<typeof createGatedTool>["tool"];
  /** Of every call so far. */
  readonly signals: readonly AbortSignal[];
  /** Until so many calls have begun. */
  started(count: number): Promise<unknown>;
  finish(): void;
}

export interface Endpoint {
  readonly server: TestServer;
  readonly gated: Gated;
  /** One message; an older client unless headers and message say otherwise. */
  post(message: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** The id of a new session. */
  begin(headers?: Record<string, string>, version?: string): Promise<string>;
}

export async function openEndpoint(
  options: Partial<TestServerOptions> = {},
  tools: Parameters<TestServer["parts"]["gate"]["tools"]["register"]>[0][] = [],
): Promise<Endpoint> {
  const server = await startTestServer({ routes: allRoutes, mcp: {}, ...options });
  const { tool, signals, started } = createGatedTool();
  const gated: Gated = {
    tool,
    signals,
    started: (count) => vi.waitUntil(() => signals.length >= count, { timeout: 30_000, interval: 5 }),
    finish() {
      for (const go of started.splice(0)) go();
    },
  };
  for (const one of [add, tool, ...tools]) server.parts.gate.tools.register(one);
  const post: Endpoint["post"] = (message, headers = {}, signal) =>
    server.ask("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(message),
      ...(signal && { signal }),
    });
  return {
    server,
    gated,
    post,
    async begin(headers = {}, version = "2025-11-25") {
      const answer = await post(initialize(version), headers);
      const id = answer.headers.get("mcp-session-id");
      if (answer.status !== 200 || id === null) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.text();
      const notified = await post(
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { ...headers, "mcp-session-id": id },
      );
      await notified.text();
      return id;
    },
  };
}

export function initialize(protocolVersion: string, capabilities = {}): object {
  const clientInfo = { name: "test", version: "1" };
  return {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities, clientInfo },
  };
}

export function call(id: string | number, name: string, input: object, meta?: object): object {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: input, ...(meta && { _meta: meta }) },
  };
}

/** A request of the newest version, and the headers that go with it. */
export function modern(
  id: string | number,
  method: string,
  params: { readonly name?: string; readonly [key: string]: unknown } = {},
): [object, Record<string, string>] {
  const _meta = {
    [metaKeys.protocolVersion]: "2026-07-28",
    [metaKeys.clientCapabilities]: {},
    ...(params._meta as object | undefined),
  };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(params.name !== undefined && { "mcp-name": params.name }),
  };
  return [{ jsonrpc: "2.0", id, method, params: { ...params, _meta } }, headers];
}

export interface ReadEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** All of them, until the stream ends. */
export async function allEvents(response: Response): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

/** Reads events as they come: each with its id and its message. */
export function eventsOf(response: Response): AsyncGenerator<ReadEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return read();

  async function* read() {
    let text = "";
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end === -1) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return;
        text += value;
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      yield { id: /^id: (.*)$/m.exec(block)?.[1], data: /^data: (.*)$/m.exec(block)?.[1] ?? "" };
    }
  }
}
