/** MCP servers that an agent still starts or reaches by itself, past the gate. */
import { basename } from "node:path";
import type { Variables } from "../../../../agents/agent.ts";
import type { AgentSetup } from "../../../../agents/agent-setup.ts";
import type { ForeignServer } from "../../../../agents/mcp-servers/foreign-server.ts";
import { type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { shownPath } from "../../terminal/shown.ts";
import { isToolgate, ownAddresses } from "../upstreams/is-toolgate.ts";

export interface ExaminedServers {
  readonly title: string;
  readonly setup: Pick<AgentSetup, "findServers" | "serverCommands">;
  readonly env: Variables;
  readonly cwd: string;
}

export function checkDirectServers(config: OpenConfig, examined: ExaminedServers): SetupFinding[] {
  const { title, setup, env, cwd } = examined;
  const { projectDir, folders, settings } = config;
  const found = setup.findServers({ home: folders.home, projectDir, env });
  const own = ownAddresses(config);
  const direct = found.filter((server) => !isToolgate(server, own));
  const isGateway = direct.length < found.length;
  const upstreams = (settings.upstreams ?? []).filter(({ enabled }) => enabled);
  // A repository's file chooses the name: only a plain word becomes part of a command that somebody copies.
  const word = ({ name }: ForeignServer) => (/^\w[\w.-]*$/.test(name) ? name : undefined);
  const remove = (server: ForeignServer) => {
    const name = word(server);
    const command = name === undefined ? undefined : setup.serverCommands?.remove(name);
    return command ?? `take it out of ${shownPath(server.file, cwd)}`;
  };
  return direct.flatMap((server): SetupFinding[] => {
    const same = upstreams.find((upstream) => isSame(server, upstream));
    const where = `${title} has the MCP server ${server.name} itself (${shownPath(server.file, cwd)})`;
    if (same !== undefined) {
      const message = `${where}, past the gate, though it is the upstream ${same.name} here.`;
      return [warning(check, message, remove(server))];
    }
    if (!isGateway) return [];
    const take = setup.serverCommands?.take(word(server) ?? "") ?? "add it to the upstreams";
    const message = `${where}, beside toolgate: its calls and definitions do not pass the gateway.`;
    return [warning(check, message, `${take}, then: ${remove(server)}`)];
  });
}

const check = "direct-servers";

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
