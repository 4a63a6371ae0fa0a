/** MCP servers that Claude Code still starts or reaches by itself, past the gate. */
import { basename } from "node:path";
import { findServers } from "../../../../agents/mcp-servers/find-servers.ts";
import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import type { CliIo } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";
import { isToolgate, ownAddresses } from "../upstreams/is-toolgate.ts";

export function checkDirectServers(
  config: OpenConfig,
  { env, cwd }: Pick<CliIo, "env" | "cwd">,
): SetupFinding[] {
  const { projectDir, folders, settings } = config;
  const found = findServers("claude", { home: folders.home, projectDir, env }).servers.filter(isOfClaudeCode);
  const own = ownAddresses(config);
  const direct = found.filter((server) => !isToolgate(server, own));
  const isGateway = direct.length < found.length;
  const upstreams = (settings.upstreams ?? []).filter(({ enabled }) => enabled);
  return direct.flatMap((server): SetupFinding[] => {
    const same = upstreams.find((upstream) => isSame(server, upstream));
    const where = `Claude Code has the MCP server ${server.name} itself (${shownPath(server.file, cwd)})`;
    if (same !== undefined)
      return [
        warn(`${where}, past the gate, though it is the upstream ${same.name} here.`, remove(server, cwd)),
      ];
    if (!isGateway) return [];
    return [
      warn(
        `${where}, beside toolgate: its calls and definitions do not pass the gateway.`,
        `${take(server)}, then: ${remove(server, cwd)}`,
      ),
    ];
  });
}

/** The desktop program is another one. */
function isOfClaudeCode({ file, disabled }: ForeignServer): boolean {
  return disabled !== true && basename(file) !== "claude_desktop_config.json";
}

/** The same program with the same arguments, or the same address. */
function isSame({ command, args = [], url }: ForeignServer, { transport }: PlacedUpstream): boolean {
  if (transport.kind === "http") return url !== undefined && addressOf(url) === addressOf(transport.url);
  return (
    command !== undefined &&
    basename(command) === basename(transport.command) &&
    JSON.stringify(args) === JSON.stringify(transport.args)
  );
}

function addressOf(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/$/, "");
}

function warn(message: string, todo: string): SetupFinding {
  return { check: "direct-servers", level: "warning", message, todo };
}

function take({ name }: ForeignServer): string {
  return isWord(name) ? `toolgate upstreams import claude ${name}` : "toolgate upstreams import claude";
}

/** A repository's file chooses the name: it is no part of a command that somebody copies unless it is a plain word. */
function remove({ name, file }: ForeignServer, cwd: string): string {
  return isWord(name) ? `claude mcp remove ${name}` : `take it out of ${shownPath(file, cwd)}`;
}

function isWord(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}
