/** A server over a real gate, and clients that talk to it without a transport. */
import { onTestFinished } from "vitest";
import type { Caller } from "../../../../src/core/call/call.ts";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { metaKeys } from "../../../../src/mcp/messages.ts";
import { createMcpServer } from "../../../../src/surfaces/mcp/create-mcp-server.ts";
import type { McpServer, McpServerParts } from "../../../../src/surfaces/mcp/server-parts.ts";
import { createTestGate, type TestGateOptions } from "../../../../src/testing/test-gate.ts";

export interface Said extends JsonObject {
  readonly id: number;
  readonly result: JsonObject & { readonly content: { readonly text: string }[] };
  readonly error: { readonly code: number; readonly message: string };
}

export interface TestClient {
  /** Everything that came, answers too. */
  readonly heard: JsonObject[];
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: JsonObject): Promise<Said>;
  /** Sends a request; answers its id. */
  send(method: string, params?: JsonObject): number;
  answerTo(id: number): Promise<Said>;
  notify(method: string, params?: JsonObject): void;
  /** Answers a request of the server. */
  reply(id: unknown, result: JsonObject): void;
  fail(id: unknown, code: number): void;
  /** The next message that fits, also one that came already. */
  next(fits: (message: JsonObject) => boolean): Promise<JsonObject>;
  close(): void;
}

export async function createMcpWorld(gateOptions: TestGateOptions = {}, parts: Partial<McpServerParts> = {}) {
  const made = await createTestGate(gateOptions);
  const server = createMcpServer({ gate: made.gate, clock: made.clock, version: "1.2.3", ...parts });
  onTestFinished(async () => {
    await server.close();
    await made.gate.close();
  });
  return { ...made, server };
}

export function connect(server: McpServer, about: { caller?: Caller; sessionId?: string } = {}): TestClient {
  const heard: JsonObject[] = [];
  let wake = () => {};
  const connection = server.connect({
    ...about,
    send: (json) => {
      heard.push(JSON.parse(json));
      wake();
    },
  });
  let lastId = 0;
  const next: TestClient["next"] = async (fits) => {
    for (;;) {
      const found = heard.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const answerTo = async (id: number) =>
    (await next((message) => message.id === id && !("method" in message))) as Said;
  const send = (method: string, params: JsonObject = {}) => {
    connection.receive({ jsonrpc: "2.0", id: ++lastId, method, params });
    return lastId;
  };
  return {
    heard,
    send,
    answerTo,
    next,
    ask: (method, params) => answerTo(send(method, params)),
    notify: (method, params = {}) => connection.receive({ jsonrpc: "2.0", method, params }),
    reply: (id, result) => connection.receive({ jsonrpc: "2.0", id, result }),
    fail: (id, code) => connection.receive({ jsonrpc: "2.0", id, error: { code, message: "no" } }),
    close: () => connection.close(),
  };
}

/** A client that has said who it is. */
export async function connectLegacy(
  server: McpServer,
  capabilities: JsonObject = {},
  about: { caller?: Caller; sessionId?: string } = {},
): Promise<TestClient> {
  const client = connect(server, about);
  await client.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "cl", version: "1" },
  });
  client.notify("notifications/initialized");
  return client;
}

/** Parameters with what a modern client says about itself. */
export function modern(params: JsonObject = {}, capabilities: JsonObject = {}): JsonObject {
  return {
    ...params,
    _meta: {
      [metaKeys.protocolVersion]: "2026-07-28",
      [metaKeys.clientCapabilities]: capabilities,
      [metaKeys.clientInfo]: { name: "cl", version: "1" },
      ...(params._meta as JsonObject | undefined),
    },
  };
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
