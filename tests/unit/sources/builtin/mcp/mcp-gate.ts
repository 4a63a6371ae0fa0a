/** A real gate with the mcp tools, some tools of a pretended upstream server, and what a test wants of a call. */
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
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

export interface McpGate {
  readonly gate: Gate;
  /** `code text` of a failure, or the text of a success. */
  say(tool: string, input?: unknown, context?: object): Promise<string>;
}

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

export async function mcpGate(ports: McpPorts = {}, options: GateOptions = {}): Promise<McpGate> {
  const holder: { gate?: Gate } = {};
  const { catalogue } = portsOfGate(() => holder.gate as Gate);
  const gate = await createGate({ tools: createMcpTools({ catalogue, ...ports }), ...options });
  holder.gate = gate;
  onTestFinished(() => gate.close());
  return {
    gate,
    say: async (tool, input = {}, context = {}) => {
      const outcome = await gate.dispatch({ tool, input, sessionId: "s1", ...context });
      if (outcome.ok) return textOf(outcome.result);
      const { code = outcome.error.code } = (outcome.result.structured ?? {}) as { code?: string };
      return `${code} ${outcome.error.message}`;
    },
  };
}
