/** The tools of a session as an MCP server inside of this process. The SDK is its client; every call is the gate's. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { packageVersion } from "../../../gate/package-version.ts";
import { isLegacyVersion, newestLegacy } from "../../../mcp/eras.ts";
import type { IncomingRequest } from "../../../mcp/incoming-request.ts";
import { RpcError, rpcCodes } from "../../../mcp/messages.ts";
import { Peer } from "../../../mcp/peer.ts";
import type { AgentResult, SessionCalls } from "../../session-calls.ts";

/** The agent calls our tools `mcp__toolgate__<name>`. */
export const serverName = "toolgate";
export const toolPrefix = `mcp__${serverName}__`;

export interface GateServerParts {
  readonly calls: Pick<SessionCalls, "definitions" | "onToolsChange">;
  readonly run: (call: ServedCall) => Promise<AgentResult>;
}

export interface ServedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly toolUseId: string | undefined;
  readonly signal: AbortSignal;
}

/** The SDK's end of the pipe. */
interface Transport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  onmessage?: ((message: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** For `mcpServers: { toolgate }` of one query. */
export function gateServer(parts: GateServerParts) {
  const peers = new Set<Peer>();
  const stop = parts.calls.onToolsChange(() => {
    for (const peer of peers) peer.notify("notifications/tools/list_changed");
  });
  const close = async () => {
    stop();
    for (const peer of peers) peer.close();
    peers.clear();
  };
  const connect = async (transport: Transport) => {
    const peer = new Peer({
      // A transport that is closed has nobody who misses the message.
      send: (json) => void transport.send(JSON.parse(json)).catch(() => {}),
      onRequest: (request) => answer(request, parts),
    });
    peers.add(peer);
    const before = transport.onclose;
    transport.onmessage = (message) => peer.receive(message);
    transport.onclose = () => {
      before?.();
      peers.delete(peer);
      peer.close();
    };
    await transport.start();
  };
  return { type: "sdk", name: serverName, instance: { connect, close } } as const;
}

async function answer(request: IncomingRequest, parts: GateServerParts): Promise<JsonObject> {
  const { method, params } = request;
  if (method === "initialize") {
    const { protocolVersion } = params;
    return {
      protocolVersion: isLegacyVersion(protocolVersion) ? (protocolVersion as string) : newestLegacy,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: serverName, version: packageVersion() },
    };
  }
  if (method === "tools/list") return { tools: listed(parts) as unknown as JsonObject[] };
  if (method === "tools/call") return callTool(request, parts);
  if (method === "ping") return {};
  throw new RpcError(rpcCodes.methodNotFound, `There is no ${method} here.`);
}

function listed({ calls }: GateServerParts) {
  return calls.definitions("anthropic").map(({ name, description, input_schema: inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

async function callTool({ params, signal }: IncomingRequest, { run }: GateServerParts): Promise<JsonObject> {
  const { name, arguments: input = {}, _meta: meta } = params;
  if (typeof name !== "string") throw new RpcError(rpcCodes.invalidParams, "name: a text is needed.");
  const id = isJsonObject(meta) ? meta["claudecode/toolUseId"] : undefined;
  const toolUseId = typeof id === "string" ? id : undefined;
  const { content, isError } = await run({ tool: name, input, toolUseId, signal });
  return { content: content as unknown as JsonObject[], isError };
}
