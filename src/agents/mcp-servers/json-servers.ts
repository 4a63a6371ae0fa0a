/** MCP servers in JSON files (Claude, Cursor, VS Code): a mapping of names to a command or a URL. */
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
  const text = (value: unknown) => {
    const said = textOf(value);
    return said === undefined ? undefined : fill(said);
  };
  const texts = (values: Record<string, string> | undefined) =>
    values && Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
  const notes =
    textOf(written.envFile) === undefined ? [] : [`envFile (${String(written.envFile)}) is not read`];
  const base = { name, file, notes, disabled: written.disabled === true ? true : undefined };
  if (written.type === "sse")
    return {
      ...base,
      unusable: "it speaks the old HTTP+SSE transport; most such servers also have a Streamable HTTP address",
    };
  const misshapen = explainMisshapen(written, ["env", "headers"]);
  if (misshapen !== undefined) return { ...base, unusable: misshapen };
  const command = text(written.command);
  const url = text(written.url) ?? text(written.serverUrl);
  if (command !== undefined) {
    const args = textsOf(written.args)?.map(fill);
    return { ...base, command, args, env: texts(textMapOf(written.env)), cwd: text(written.cwd) };
  }
  if (url !== undefined) return { ...base, url, headers: texts(textMapOf(written.headers)) };
  return { ...base, unusable: "it has neither a command nor a URL" };
}
