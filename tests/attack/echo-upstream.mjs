/** An upstream server that says back what it was told, each time after another while, so that answers come in another order than questions. */
import { createInterface } from "node:readline";

const tools = [
  {
    name: "say",
    description: "Says it back.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
];

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = (result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  if (method === "initialize")
    answer({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "echo", version: "1.0.0" },
    });
  else if (method === "tools/list") answer({ tools });
  else if (method === "tools/call") {
    const content = [{ type: "text", text: params.arguments.text }];
    setTimeout(() => answer({ content }), Math.random() * 10);
  } else if (method === "ping") answer({});
  else
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "No such method." } })}\n`,
    );
}
