/** `toolgate mcp`: the gate as an MCP server for the client that started it. */
import type { ApprovalRequest } from "../../../../core/call/approval.ts";
import { parseDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import { packageVersion } from "../../../../gate/package-version.ts";
import { createSystemClock } from "../../../../gate/system.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import type { StoreThread } from "../../../../open/start-store-thread.ts";
import { afterFirstAnswers } from "../../../../safe/files/watch-inputs.ts";
import { explainInsideUpstream } from "../../../../sources/upstream/wire/inside-upstream.ts";
import { createMcpServer } from "../../../mcp/create-mcp-server.ts";
import type { OpenPermissionCheck } from "../../../mcp/handlers/permission-check.ts";
import { mcpSettings } from "../../../mcp/mcp-settings.ts";
import type { McpServerParts, ToolsMode } from "../../../mcp/server-parts.ts";
import { serveStdio } from "../../../mcp/stdio.ts";
import { openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownId } from "../approvals/describe-approval.ts";
import { explainRestart, type FollowOptions, followConfiguration } from "../serve/follow-configuration.ts";
import { chooseWorkspace } from "../serve/mcp-workspace.ts";

export interface McpCommandOptions extends ToolOptions {
  readonly tools?: ToolsMode | undefined;
  readonly permissionPrompt?: boolean | undefined;
  readonly as?: string | undefined;
  /** The folder to work in, instead of the one it was started in. */
  readonly workspace?: string | undefined;
  /** A duration; false: `--no-wait`. */
  readonly wait?: string | boolean | undefined;
}

/** Clients that close the pipe wait about two seconds before they kill. */
const drainMs = 1_500;
const graceMs = 5_000;
const callerName = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

export async function runMcp(
  options: McpCommandOptions,
  given: CliIo,
  storeThread?: StoreThread,
): Promise<number> {
  const inside = explainInsideUpstream(given.env);
  if (inside !== undefined)
    return fail(
      `${inside} Take toolgate out of the upstreams of your configuration: toolgate upstreams list shows them.`,
      given,
    );
  const workspace = chooseWorkspace(options.workspace, given);
  if (!workspace.ok) return fail(workspace.message, given);
  return serveMcp(options, { ...given, cwd: workspace.folder }, storeThread);
}

async function serveMcp(
  options: McpCommandOptions,
  io: CliIo,
  storeThread: StoreThread | undefined,
): Promise<number> {
  const { wait } = options;
  const waitMs = typeof wait === "string" ? parseDuration(wait) : undefined;
  if (typeof wait === "string" && waitMs === undefined)
    return fail(`--wait takes a duration such as 90s, 5m or 1h, not "${visible(wait)}".`, io);
  if (options.as !== undefined && !callerName.test(options.as))
    return fail(`--as takes a name of letters, digits and . _ @ -, not "${visible(options.as)}".`, io);
  const pipe = io.takePipe?.();
  if (pipe === undefined) return fail("toolgate mcp needs standard input and output for itself.", io);
  if (io.stdinIsTerminal === true)
    io.err(
      "Waiting for an MCP client on standard input. A client starts this command itself; Ctrl-C ends it.\n",
    );
  io.allowGrace?.(graceMs);
  const attended = wait !== false;
  const tell = (message: string) => io.err(`${visible(asTyped(message, io))}\n`);
  await using open = await openToolGate(options, io, {
    approver: attended ? "desk" : undefined,
    approvalTimeoutMs: waitMs,
    durable: true,
    storeThread,
    upstreams: "live",
    note: (text) => tell(text),
  });
  if (attended)
    open.gate.events.on("approval-request", ({ request }) =>
      io.err(`${visible(describeWaiting(request, io))}\n`),
    );
  await open.recovered;
  await using permissions = await openPermissions(open, options, { attended, approvalTimeoutMs: waitMs });
  let inForce = open.config;
  const server = createMcpServer({
    ...mcpParts(open),
    ...mcpSettings(() => inForce.settings.mcp, options.tools),
    permissionPrompt: permissions?.check,
    attended,
    onSearchMode: tell,
    onProblem: tell,
  });
  const following = new AbortController();
  const onForce = (next: OpenConfig) => {
    inForce = next;
    const restart = options.permissionPrompt === undefined ? explainRestart(open.config, next) : undefined;
    if (restart !== undefined) tell(`The configuration changed; ${restart}`);
  };
  const followed = followChanges(options, io, { open, tell, onForce, signal: following.signal });
  try {
    await serveStdio({
      server,
      ...pipe,
      signal: io.signal,
      cwd: io.cwd,
      ...(options.as !== undefined && { caller: { id: options.as, capabilities: ["*"] } }),
    });
  } finally {
    following.abort();
    await server.close({ drainMs: io.signal.aborted ? 0 : drainMs });
    await followed;
  }
  return exitCodes.ok;
}

function mcpParts({ gate, upstreams, skills }: OpenTools): McpServerParts {
  return {
    gate,
    clock: createSystemClock(),
    version: packageVersion(),
    upstreams: upstreams.upstreams,
    ready: upstreams.firstLook,
    skills,
  };
}

/** Undefined unless it is wanted: a permission check opens gates of its own. */
async function openPermissions(
  { config, store }: OpenTools,
  { permissionPrompt = config.settings.mcp?.permissionPrompt }: McpCommandOptions,
  people: { readonly attended: boolean; readonly approvalTimeoutMs: number | undefined },
): Promise<OpenPermissionCheck | undefined> {
  if (permissionPrompt !== true || store === undefined) return undefined;
  const { createPermissionCheck } = await import("../../../mcp/handlers/permission-check.ts");
  return createPermissionCheck({ config, store, ...people });
}

async function followChanges(
  options: McpCommandOptions,
  io: CliIo,
  following: Omit<FollowOptions, "configFile">,
): Promise<void> {
  const { open, tell, signal } = following;
  await afterFirstAnswers(signal);
  if (signal.aborted) return;
  open.plugins.watch({ onError: (message) => tell(`Plugin folders cannot be watched: ${message}`) });
  await followConfiguration({ ...following, configFile: options.config }, io);
}

function describeWaiting({ id, toolId, reason }: ApprovalRequest, io: CliIo): string {
  const how = asTyped(`Answer in another terminal: toolgate approvals approve ${shownId(id)}`, io);
  return `${toolId} waits for an approval: ${reason} ${how}`;
}
