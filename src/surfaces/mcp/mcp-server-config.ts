/** A gate as a server that the Claude Agent SDK runs in its process, and the names of the tools there. */
import type { Caller } from "../../core/call/call.ts";
import { ToolgateError } from "../../core/call/errors.ts";
import type { Gate } from "../../gate/gate.ts";
import { refuseUnknownKeys } from "../../gate/gate-options.ts";
import type { Viewer } from "../../gate/gate-tools.ts";

export interface McpServerConfigOptions {
  /** Who calls. Default: the gate's own caller. */
  readonly caller?: Caller;
  readonly sessionId?: string;
  readonly cwd?: string;
  /** Default: all. */
  readonly tools?: "all" | "search" | "auto";
  /** The SDK's `onElicitation` may answer when a rule asks. Default: only the gate's approver is asked. */
  readonly approveByElicitation?: boolean;
}

export interface SdkServerConfig {
  readonly type: "sdk";
  readonly name: "toolgate";
  /** Has `connect` and `close` as the SDK uses them. `never` fits the SDK's type without its import. */
  readonly instance: never;
}

/**
 * For `query({ options: { mcpServers: { toolgate: toMcpServerConfig(gate) } } })`. Closing the gate stays
 * yours.
 */
export function toMcpServerConfig(gate: Gate, options: McpServerConfigOptions = {}): SdkServerConfig {
  refuseUnknownKeys("toMcpServerConfig", options, optionNames);
  return { type: "sdk", name: "toolgate", instance: createInstance(gate, options) as never };
}

/** For `allowedTools`: `mcp__toolgate__fs_read` and so on. The gate still decides on each call. */
export function allowedToolNames(gate: Gate, viewer: Viewer = {}): string[] {
  return gate.tools.definitions(viewer).map(({ name }) => `mcp__toolgate__${name}`);
}

const optionNames: readonly (keyof McpServerConfigOptions)[] = [
  "caller",
  "sessionId",
  "cwd",
  "tools",
  "approveByElicitation",
];

function createInstance(gate: Gate, options: McpServerConfigOptions) {
  const ends = new Set<() => Promise<void>>();
  return {
    async connect(transport: unknown): Promise<void> {
      if (typeof transport !== "object" || transport === null)
        throw new ToolgateError("connect takes a transport of the MCP SDK.");
      // Those who only use the gate as a library never load the server.
      const { serveObjects } = await import("./object-transport.ts");
      const approveByElicitation = options.approveByElicitation ?? false;
      ends.add(await serveObjects(transport as never, { ...options, gate, approveByElicitation }));
    },
    async close(): Promise<void> {
      for (const end of ends) await end();
      ends.clear();
    },
  };
}
