/** The MCP servers that OpenCode and Kilo start or reach by themselves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { isRecord } from "../../core/input/json.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import type { ForeignServer } from "../mcp-servers/foreign-server.ts";
import { readServerMap } from "../mcp-servers/json-servers.ts";
import { fillIn } from "../mcp-servers/opencode-servers.ts";
import { configFolder, type OpencodeKind } from "./places.ts";

/** The project's first: of two of the same name the nearer one is used. */
export function findOpencodeServers(place: ProjectPlace, kind: OpencodeKind): ForeignServer[] {
  const { config, folder } = kind;
  const names = [config, `${config}c`];
  const folders = [place.projectDir, join(place.projectDir, `.${folder}`), configFolder(place, kind)];
  return folders
    .flatMap((one) => names.map((name) => join(one, name)))
    .flatMap((file) => readServerMap(serversIn(file), file, fillIn))
    .filter(({ disabled }) => disabled !== true);
}

/** In the form in which most others write them. */
function serversIn(file: string): Record<string, unknown> {
  const value: unknown = parse(textOf(file), [], { allowTrailingComma: true });
  const servers = isRecord(value) && isRecord(value.mcp) ? value.mcp : {};
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, isRecord(server) ? usualForm(server) : server]),
  );
}

function usualForm({
  command: words,
  environment,
  enabled,
  ...rest
}: Readonly<Record<string, unknown>>): object {
  const [command, ...args] = Array.isArray(words) ? (words as unknown[]) : [words];
  const start = command === undefined ? {} : { command, args, env: environment };
  // `type` means something else there.
  return { ...rest, ...start, type: undefined, disabled: enabled === false };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
