/** MCP servers of OpenCode: `mcp` in its configuration, each a list of words or an address. */
import { isRecord } from "../../core/input/json.ts";
import { type ForeignServer, textMapOf, textOf, textsOf } from "./foreign-server.ts";

export function readOpencodeServers(
  servers: Readonly<Record<string, unknown>>,
  file: string,
): ForeignServer[] {
  return Object.entries(servers).map(([name, written]) => {
    if (!isRecord(written)) return { name, file, notes: [], unusable: "it is not a mapping" };
    const words = (textsOf(written.command) ?? []).map(fillIn);
    const address = textOf(written.url);
    const url = address === undefined ? undefined : fillIn(address);
    const timeoutMs = typeof written.timeout === "number" ? written.timeout : undefined;
    const base = { name, file, notes: [], disabled: written.enabled === false ? true : undefined, timeoutMs };
    if (/\{file:/.test(JSON.stringify(written)))
      return { ...base, unusable: "a part of it stands in a file of its own ({file:...})" };
    const [command, ...args] = words;
    if (command !== undefined) return { ...base, command, args, env: filled(written.environment) };
    if (url === undefined) return { ...base, unusable: "it has neither a command nor a URL" };
    // Whoever is asked to sign in does it in OpenCode.
    if (written.oauth !== undefined && written.oauth !== false)
      return { ...base, unusable: "OpenCode signs in to it by itself" };
    return { ...base, url, headers: filled(written.headers) };
  });
}

function filled(values: unknown): Record<string, string> | undefined {
  const texts = textMapOf(values);
  return texts && Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillIn(text)]));
}

/** `{env:NAME}`, as the configuration of toolgate writes it. */
export function fillIn(text: string): string {
  return text.replaceAll(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`);
}
