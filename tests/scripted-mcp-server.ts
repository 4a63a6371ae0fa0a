/** An MCP server over stdio that lists whatever its file says at the moment: `node scripted-mcp-server.ts DEFINITIONS.json`. */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Script {
  readonly tools: readonly { readonly name: string }[];
  readonly instructions?: string;
  readonly resources?: readonly object[];
  readonly prompts?: readonly object[];
  /** Besides the messages of a prompt. */
  readonly promptResult?: object;
  /** Whose lines say when it was started. */
  readonly startsFile?: string;
  /** Whose lines say which tools were called. */
  readonly callsFile?: string;
}

const file = process.argv[2] ?? "";
const read = (): Script => JSON.parse(readFileSync(file, "utf8")) as Script;
const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const { startsFile, callsFile } = read();
if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid}\n`);

const answers: Record<string, (params: Record<string, unknown>) => object> = {
  initialize: ({ protocolVersion }) => {
    const { instructions } = read();
    return {
      protocolVersion,
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      serverInfo: { name: "scripted", version: "1.0.0" },
      ...(instructions !== undefined && { instructions }),
    };
  },
  ping: () => ({}),
  "tools/list": () => ({ tools: read().tools }),
  "resources/list": () => ({ resources: read().resources ?? [] }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ name: "note", uriTemplate: "note://{name}/text" }],
  }),
  "resources/read": ({ uri }) => ({
    contents: [{ uri, mimeType: "text/plain", text: `text of ${String(uri)}` }],
  }),
  "prompts/list": () => ({ prompts: read().prompts ?? [] }),
  "prompts/get": ({ name }) => ({
    ...read().promptResult,
    messages: [{ role: "user", content: { type: "text", text: `prompt ${String(name)}` } }],
  }),
  "tools/call": ({ name, arguments: given }) => {
    if (callsFile !== undefined) appendFileSync(callsFile, `${String(name)}\n`);
    // Says that its tools have changed, whatever its file says now.
    if (name === "flip") say({ method: "notifications/tools/list_changed" });
    if (name === "update") say({ method: "notifications/resources/updated", params: given });
    return { content: [{ type: "text", text: `${String(name)} ${JSON.stringify(given ?? {})}` }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as { id?: unknown; method: string; params?: object };
  if (id === undefined) return;
  const answer = answers[method];
  if (answer === undefined) say({ id, error: { code: -32601, message: `no ${method}` } });
  else say({ id, result: answer((params ?? {}) as Record<string, unknown>) });
});
