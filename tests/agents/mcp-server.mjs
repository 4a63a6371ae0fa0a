/** A small MCP server on stdio with two tools, `look` and `drop`, that write their names into the file given as argument. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const log = process.argv[2] ?? "";
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "store", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: ["look", "drop"].map((name) => ({ name, description: name, inputSchema: { type: "object" } })),
  }),
  "tools/call": ({ name }) => {
    appendFileSync(log, `${name}\n`);
    return { content: [{ type: "text", text: `${name} ran` }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const said = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
}
