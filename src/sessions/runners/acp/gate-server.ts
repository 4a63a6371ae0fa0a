/**
 * The tools of the gate for one agent, as an MCP server on stdio that the agent starts: a small program passes
 * the lines on to a socket of this process, where each call goes through the gate as a call of the session.
 */
import type { JsonObject } from "../../../core/input/json.ts";
import { legacyVersions, newestLegacy } from "../../../mcp/eras.ts";
import type { IncomingRequest } from "../../../mcp/incoming-request.ts";
import { RpcError, rpcCodes } from "../../../mcp/messages.ts";
import { Peer } from "../../../mcp/peer.ts";
import { type LocalClient, listenLocally } from "../../../safe/net/local-socket.ts";
import type { SessionCalls } from "../../session-calls.ts";
import { hasPlainKind } from "./judged-call.ts";
import { objectIn, textIn } from "./protocol.ts";
import type { ToolFacts } from "./tool-facts.ts";

export interface GateServer {
  /** For `session/new`. */
  readonly config: JsonObject;
  /** The tool of ours that the agent's call is about. Undefined: it is none of ours. */
  toolNamed(facts: ToolFacts): string | undefined;
  /** Did a call of this tool come, that nobody has counted yet? */
  arrived(tool: string): boolean;
  close(): Promise<void>;
}

export interface GateServerParts {
  readonly calls: SessionCalls;
  /** Of the turn that runs. Undefined: none does. */
  readonly turnSignal: () => AbortSignal | undefined;
  readonly newId: () => string;
  readonly tell: (message: string) => void;
  /** Ids of calls begin with the name of their tool and `__`: the agent's own word, where titles are a model's. */
  readonly idNamesTool: boolean;
}

export const serverName = "toolgate";

export async function startGateServer(parts: GateServerParts): Promise<GateServer> {
  const { calls } = parts;
  const arrivals = new Map<string, number>();
  const socket = await listenLocally((send, end) => serve(parts, arrivals, send, end));
  return {
    config: { name: serverName, ...socket.relay },
    toolNamed: (facts) => {
      const tools = calls.definitions("mcp").map(({ name }) => name);
      return parts.idNamesTool ? namedById(facts.id, tools) : namedByFacts(facts, tools);
    },
    arrived(tool) {
      const count = arrivals.get(tool) ?? 0;
      arrivals.set(tool, count - 1);
      return count > 0;
    },
    close: () => socket.close(),
  };
}

/** The longest: `store__look` is another tool than `store`. */
function namedById(id: string, tools: readonly string[]): string | undefined {
  const found = tools.filter((tool) => namesOf(tool).some((name) => id.startsWith(`${name}__`)));
  return found.sort((one, other) => other.length - one.length)[0];
}

function namedByFacts(facts: ToolFacts, tools: readonly string[]): string | undefined {
  const said = new Set([facts.name, ...(hasPlainKind(facts) ? facts.titles : [])]);
  return tools.find((tool) => namesOf(tool).some((name) => said.has(name)));
}

/** As agents name the tools of a server. */
function namesOf(tool: string): string[] {
  const joined = ["_", "__", "-", "/", ".", ":"].map((mark) => `${serverName}${mark}${tool}`);
  return [
    ...joined,
    `mcp__${serverName}__${tool}`,
    `mcp_${serverName}_${tool}`,
    `mcp.${serverName}.${tool}`,
    `${tool} (${serverName} MCP Server)`,
  ];
}

function serve(
  parts: GateServerParts,
  arrivals: Map<string, number>,
  send: (line: string) => void,
  end: () => void,
): LocalClient {
  const peer = new Peer({
    send: (json) => send(`${json}\n`),
    onRequest: (request) => answer(parts, arrivals, request),
    onProblem: (message) => parts.tell(`The tools of the gate: ${message}`),
  });
  const stop = parts.calls.onToolsChange(() => peer.notify("notifications/tools/list_changed"));
  return {
    onLine: (line) => {
      if (line.length > 0) peer.receiveText(line);
    },
    onClose: () => {
      stop();
      peer.close();
      end();
    },
  };
}

async function answer(
  { calls, turnSignal, newId }: GateServerParts,
  arrivals: Map<string, number>,
  { method, params, signal }: IncomingRequest,
): Promise<JsonObject> {
  if (method === "ping") return {};
  if (method === "initialize") {
    const protocolVersion = legacyVersions.find((one) => one === params.protocolVersion) ?? newestLegacy;
    const capabilities = { tools: { listChanged: true } };
    return { protocolVersion, capabilities, serverInfo: { name: serverName, version: "1" } };
  }
  if (method === "tools/list") return { tools: calls.definitions("mcp") as never };
  if (method !== "tools/call") throw new RpcError(rpcCodes.methodNotFound, `There is no method ${method}.`);
  const tool = textIn(params.name) ?? "";
  const turn = turnSignal();
  if (turn === undefined) return told("No turn of the session runs, so nothing is called.");
  arrivals.set(tool, (arrivals.get(tool) ?? 0) + 1);
  const { content, isError } = await calls.run({
    tool,
    input: objectIn(params.arguments),
    toolUseId: newId(),
    signal: AbortSignal.any([turn, signal]),
  });
  return { content: content as never, isError };
}

function told(text: string): JsonObject {
  return { content: [{ type: "text", text }], isError: true };
}
