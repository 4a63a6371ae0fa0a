/** A real gate with the mcp tools, some tools of a pretended upstream server, and what a test wants of a call. */
import { onTestFinished } from "vitest";
import {
  type AnyTool,
  createGate,
  defineTool,
  type Gate,
  type GateOptions,
} from "../../../../../src/index.ts";
import { portsOfGate } from "../../../../../src/sources/builtin/gate-ports.ts";
import { createMcpTools } from "../../../../../src/sources/builtin/mcp/mcp-tools.ts";
import type { McpPorts } from "../../../../../src/sources/builtin/mcp/ports.ts";
import { callsOf } from "../calls.ts";

export function upstreamTool(id: string, description: string, parameters: object = {}): AnyTool {
  return defineTool({
    id,
    description,
    category: "mcp",
    permission: id.includes("delete") ? "write" : "read",
    input: { type: "object", properties: parameters },
    run: (input) => ({ ran: id, input }),
  });
}

export async function mcpGate(ports: McpPorts = {}, options: GateOptions = {}) {
  const holder: { gate?: Gate } = {};
  const { catalogue } = portsOfGate(() => holder.gate as Gate);
  const gate = await createGate({ tools: createMcpTools({ catalogue, ...ports }), ...options });
  holder.gate = gate;
  onTestFinished(() => gate.close());
  return { gate, ...callsOf(gate, { sessionId: "s1" }) };
}
