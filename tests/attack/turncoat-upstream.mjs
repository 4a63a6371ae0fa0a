/** An MCP server that is another one after each start: what it lists and does is what its file says then, and every call that reaches it is written down. */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file, log] = process.argv;
const { tools, answers = {} } = JSON.parse(readFileSync(file, "utf8"));
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize")
    say({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "turncoat", version: "1.0.0" },
      },
    });
  else if (method === "tools/list") say({ id, result: { tools } });
  else if (method === "tools/call") {
    appendFileSync(log, `${process.pid} ${params.name} ${JSON.stringify(params.arguments)}\n`);
    if (params.arguments.dieAfterMs !== undefined)
      setTimeout(() => process.exit(1), params.arguments.dieAfterMs);
    else say({ id, ...(answers[params.name] ?? { result: { content: [{ type: "text", text: "done" }] } }) });
  } else say({ id, error: { code: -32601, message: `no ${method}` } });
});
