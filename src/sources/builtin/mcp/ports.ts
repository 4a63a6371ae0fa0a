/** What the mcp tools are given from outside: the tools as a caller sees them, and upstream servers. */

import type { UpstreamPrompt, UpstreamResource, Upstreams } from "../../../core/ports/upstream.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";

export interface McpPorts {
  /** Without it there is nothing to search. */
  readonly catalogue?: ToolCatalogue;
  /** Without it no server is connected. */
  readonly resources?: McpResources;
  readonly prompts?: McpPrompts;
}

export interface ToolCatalogue {
  /** Every tool of the gate, in its order; only those that this caller may call are ever shown. */
  toolsFor(
    viewer: Pick<ToolContext, "caller" | "mode">,
  ): readonly { readonly tool: RegisteredTool; readonly callable: boolean }[];
}

export type McpResource = UpstreamResource;

/** Throws what the server or the connection says; the message reaches the model. */
export interface McpResources {
  /** Names of the servers that have resources. */
  servers(): readonly string[];
  /** Whether the configuration says that all this server does is to read. */
  onlyReads?(server: string): boolean;
  readonly list: Upstreams["listResources"];
  readonly read: Upstreams["readResource"];
}

export type McpPrompt = UpstreamPrompt;

/** As `McpResources`, for prompts. */
export interface McpPrompts {
  servers(): readonly string[];
  readonly list: Upstreams["listPrompts"];
  readonly get: Upstreams["getPrompt"];
}
