/** What the mcp tools are given from outside: the tools as a caller sees them, and the resources of upstream servers. */

import type { UpstreamPrompt, Upstreams } from "../../../core/ports/upstream.ts";
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

export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface McpResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  /** Text, or base64 in `blob`. */
  readonly text?: string;
  readonly blob?: string;
}

/** Throws what the server or the connection says; the message reaches the model. */
export interface McpResources {
  /** Names of the servers that have resources. */
  servers(): readonly string[];
  /** Whether the configuration says that all this server does is to read. */
  onlyReads?(server: string): boolean;
  list(
    request: { readonly server: string | undefined; readonly cursor: string | undefined },
    context: { readonly signal: AbortSignal },
  ): Promise<{ readonly resources: readonly McpResource[]; readonly nextCursor?: string }>;
  read(
    request: { readonly server: string; readonly uri: string },
    context: { readonly signal: AbortSignal },
  ): Promise<{ readonly contents: readonly McpResourceContent[] }>;
}

export type McpPrompt = UpstreamPrompt;

/** As `McpResources`, for prompts. */
export interface McpPrompts {
  servers(): readonly string[];
  readonly list: Upstreams["listPrompts"];
  readonly get: Upstreams["getPrompt"];
}
