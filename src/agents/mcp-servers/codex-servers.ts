/** MCP servers of Codex: tables `mcp_servers.NAME` in its config.toml. */
import { isRecord } from "../../core/input/json.ts";
import {
  explainMisshapen,
  type ForeignServer,
  serversOf,
  textMapOf,
  textOf,
  textsOf,
} from "./foreign-server.ts";

export function readCodexServers(config: unknown, file: string): ForeignServer[] {
  const servers = serversOf(isRecord(config) ? config.mcp_servers : undefined, "mcp_servers");
  return Object.entries(servers).map(([name, written]) => {
    if (!isRecord(written)) return { name, file, notes: [], unusable: "it is not a table" };
    const command = textOf(written.command);
    const url = textOf(written.url);
    const base = { name, file, notes: notesOf(written), ...settingsOf(written) };
    const misshapen = explainMisshapen(written, ["env", "http_headers", "env_http_headers"]);
    if (misshapen !== undefined) return { ...base, unusable: misshapen };
    if (command !== undefined) return { ...base, command, ...processOf(written) };
    if (url !== undefined) return { ...base, url, headers: headersOf(written) };
    return { ...base, unusable: "it has neither a command nor a URL" };
  });
}

type Table = Readonly<Record<string, unknown>>;

function settingsOf(table: Table): Partial<ForeignServer> {
  return {
    disabled: table.enabled === false ? true : undefined,
    timeoutMs: milliseconds(table.tool_timeout_sec),
    startTimeoutMs: milliseconds(table.startup_timeout_sec),
    disabledTools: textsOf(table.disabled_tools),
  };
}

function processOf(table: Table): Partial<ForeignServer> {
  return {
    args: textsOf(table.args),
    env: textMapOf(table.env),
    envPass: textsOf(table.env_vars),
    cwd: textOf(table.cwd),
  };
}

function headersOf(table: Table): Record<string, string> {
  const named = Object.entries(textMapOf(table.env_http_headers) ?? {});
  const bearer = textOf(table.bearer_token_env_var);
  return {
    ...textMapOf(table.http_headers),
    ...Object.fromEntries(named.map(([header, name]) => [header, `\${${name}}`])),
    ...(bearer !== undefined && { Authorization: `Bearer \${${bearer}}` }),
  };
}

function notesOf(table: Table): string[] {
  return textsOf(table.enabled_tools) === undefined
    ? []
    : ["enabled_tools is not taken over; switch tools off one by one under `tools`"];
}

function milliseconds(seconds: unknown): number | undefined {
  return typeof seconds === "number" && seconds > 0 ? Math.round(seconds * 1_000) : undefined;
}
