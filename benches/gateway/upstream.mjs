// The upstream server behind every gateway: JSON-RPC lines on stdio, as little work as possible. `upstream.mjs [number of tools]`.

import { catalogue } from "./catalogue.mjs";
import { readLines } from "./lines.mjs";

const tools = catalogue(Number(process.argv[2] ?? 1));

readLines(process.stdin, (lines) => {
  let answers = "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    const result = id === undefined ? undefined : answer(method, params);
    if (result !== undefined) answers += `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
    else if (id !== undefined)
      answers += `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}\n`;
  }
  if (answers !== "") process.stdout.write(answers);
});
process.stdin.on("end", () => process.exit());

function answer(method, params) {
  if (method === "tools/call") return { content: [{ type: "text", text: params.arguments.text }] };
  if (method === "tools/list") return { tools };
  if (method === "ping") return {};
  if (method !== "initialize") return undefined;
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "bench-upstream", version: "1.0.0" },
  };
}
