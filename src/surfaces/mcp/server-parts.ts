/** What an MCP server is made of, and what a transport gives it and gets from it. */
import type { Caller } from "../../core/call/call.ts";
import type { Clock } from "../../core/ports/ports.ts";
import type { Upstreams } from "../../core/ports/upstream.ts";
import type { Gate } from "../../gate/gate.ts";
import type { ClientFacts, Era } from "../../mcp/eras.ts";
import type { RequestId, RpcMessage, Send } from "../../mcp/messages.ts";
import type { SharedCalls } from "./ask/shared-calls.ts";
import type { PermissionCheck } from "./handlers/permission-prompt.ts";
import type { Skill } from "./handlers/prompts.ts";

/** `search`: only the tools that find and call others. `auto`: all, unless all cost too many tokens. */
export type ToolsMode = "all" | "search" | "auto";

/** How the gate shows itself to clients: what a person may change while it serves. */
export interface ShownSettings {
  readonly tools?: ToolsMode | undefined;
  /** For `auto`. Default: 10,000. */
  readonly tokenBudget?: number | undefined;
  /** When a rule asks, the client may answer: it is trusted to show the question. Default: false. */
  readonly approveByElicitation?: boolean | undefined;
}

export interface McpServerParts extends ShownSettings {
  readonly gate: Gate;
  readonly clock: Clock;
  /** Of toolgate. */
  readonly version: string;
  /** Resources and prompts of upstream servers; their tools are in the gate. */
  readonly upstreams?: Upstreams | undefined;
  /** The list of tools waits for this, but not long: servers that are new are being asked for their tools. */
  readonly ready?: Promise<void> | undefined;
  /** Which skills there are; they are offered as prompts. */
  readonly skills?: ((signal: AbortSignal) => Promise<readonly Skill[]>) | undefined;
  /** Asked for the settings whenever one counts. The list of tools is kept until tools or rules change. */
  readonly settingsNow?: (() => ShownSettings) | undefined;
  /** How many tools, resources or prompts a page of a list holds. Default: 1,000. */
  readonly pageSize?: number | undefined;
  /** Clients may come back to another process with what a call waits for. */
  readonly shared?: SharedCalls | undefined;
  /** People answer at the desk (`toolgate approvals`, REST), so a call may wait for them. */
  readonly attended?: boolean | undefined;
  /** Offers the tool `permission_prompt`, which asks this. */
  readonly permissionPrompt?: PermissionCheck | undefined;
  /** For the person who runs it, told once: `auto` came to search mode. */
  readonly onSearchMode?: ((why: string) => void) | undefined;
  /** For the log: what broke without harming the connection. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export interface McpServer {
  /** One pipe, one session, or one request that says everything about itself. Cheap. */
  connect(transport: McpTransport): McpConnection;
  /** Ends connections and questions; requests that are being answered have `drainMs`. The gate stays open. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

export interface McpTransport {
  /** Who calls: the token's caller over HTTP. Undefined: the gate's own caller, as on a pipe. */
  readonly caller?: Caller | undefined;
  /** May see the rules. Default: true. */
  readonly mayRead?: boolean | undefined;
  /** Whether a yes from this client counts: over HTTP only with a token that may approve. Default: true. */
  readonly mayApprove?: boolean | undefined;
  /** Asked when a person approved a call of this request: may the client still call? Default: yes. */
  readonly mayStillCall?: ((request: RequestId) => boolean | Promise<boolean>) | undefined;
  /** Names the session in records and limits; undefined: calls have none. */
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  /** Of all its messages, where the transport has found that out already. */
  readonly era?: Era | undefined;
  /** What the one request of a modern transport says about its client, where it was read already. */
  readonly client?: ClientFacts | undefined;
  readonly send: Send;
}

export interface McpConnection {
  /** Takes one message that was parsed by `JSON.parse`; answers go to `send`. Never throws. */
  receive(message: unknown): void;
  /** The same for one that is known to be a message. */
  take(message: RpcMessage): void;
  receiveText(text: string): void;
  /** Tells the client that something it sent cannot be taken. */
  refuse(message: string): void;
  /** What `initialize` agreed on; undefined before, and on connections that only speak the modern way. */
  readonly protocolVersion: string | undefined;
  /** The client is gone: its calls are cancelled. */
  close(): void;
}
