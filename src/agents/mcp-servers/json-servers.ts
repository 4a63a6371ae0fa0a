/** The common form of MCP servers in JSON files (Claude, Cursor, VS Code): a mapping of names to a command or a URL. */
import { isRecord } from "../../core/input/json.ts";
import { explainMisshapen, type ForeignServer, textMapOf, textOf, textsOf } from "./foreign-server.ts";

/** `fill` writes that program's own placeholders as `${NAME}`. */
export function readServerMap(
  servers: Readonly<Record<string, unknown>>,
  file: string,
  fill: (text: string) => string,
): ForeignServer[] {
  return Object.entries(servers).map(([name, written]) => readServer(name, written, file, fill));
}

function readServer(
  name: string,
  written: unknown,
  file: string,
  fill: (text: string) => string,
): ForeignServer {
  if (!isRecord(written)) return { name, file, notes: [], unusable: "it is not a mapping" };
  const filled = (values: Record<string, string> | undefined) =>
    values && Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  const command = textOf(written.command);
  const url = textOf(written.url) ?? textOf(written.serverUrl);
  const args = textsOf(written.args)?.map(fill);
  const env = filled(textMapOf(written.env));
  const headers = filled(textMapOf(written.headers));
  const cwd = textOf(written.cwd);
  const notes =
    textOf(written.envFile) === undefined ? [] : [`envFile (${String(written.envFile)}) is not read`];
  const base = { name, file, notes, ...(written.disabled === true && { disabled: true }) };
  if (written.type === "sse")
    return {
      ...base,
      unusable: "it speaks the old HTTP+SSE transport; most such servers also have a Streamable HTTP address",
    };
  const misshapen = explainMisshapen(written, ["env", "headers"]);
  if (misshapen !== undefined) return { ...base, unusable: misshapen };
  if (command !== undefined)
    return {
      ...base,
      command: fill(command),
      ...(args && { args }),
      ...(env && { env }),
      ...(cwd !== undefined && { cwd: fill(cwd) }),
    };
  if (url !== undefined) return { ...base, url: fill(url), ...(headers && { headers }) };
  return { ...base, unusable: "it has neither a command nor a URL" };
}
