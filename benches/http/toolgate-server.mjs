// The real server with the built-in tools, the SQLite ledger, a real list of tokens, and one trivial tool besides. With the argument
// "files" its tools may change files and run commands without a question.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "../../dist/index.js";
import { openConfig } from "../../dist/open/open-config.js";
import { openTools } from "../../dist/open/open-tools.js";
import { createFileTokens } from "../../dist/stores/files/file-tokens.js";
import { giveToken } from "../../dist/surfaces/http/tokens/give-token.js";
import { openTokenFile } from "../../dist/surfaces/http/tokens/owner-token.js";
import { openServer } from "../../dist/surfaces/serve/open-server.js";
import { chooseServer } from "../../dist/surfaces/serve/server-settings.js";

const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-http-"));
const env = { HOME: folder };
if (process.argv[2] === "files") {
  mkdirSync(join(folder, ".config", "toolgate"), { recursive: true });
  writeFileSync(
    join(folder, ".config", "toolgate", "config.yaml"),
    "tools: { enabled_categories: [editing, shell] }\npolicies: { yes: { tools: '*', action: approve } }\n",
  );
}
const config = await openConfig({ cwd: folder, env });
const open = await openTools(config, { durable: true, approver: "desk" });
open.gate.tools.register(
  defineTool({
    id: "math.add",
    description: "Adds two numbers.",
    permission: "read",
    input: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
    run: ({ a, b }) => a + b,
  }),
);
const { token } = await giveToken(createFileTokens(config.folders.state), {
  name: "bench",
  rights: ["call", "read"],
});
const limits = { maxInFlight: 10_000, maxPerMinute: 1_000_000_000 };
const server = await openServer({
  open,
  config: { current: config, broken: [] },
  chosen: { ...chooseServer({ port: 0 }), limits },
  owner: openTokenFile(join(config.folders.state, "token"), { name: "owner" }),
  version: "bench",
  env,
  tell: (message) => console.error(message),
});
process.send({ port: server.http.port, token, folder });
process.on("message", async (message) => {
  if (message === "cpu") process.send({ cpu: process.cpuUsage() });
  if (message === "records") {
    const stats = await open.store.ledger.stats({ tool: "math.add" });
    process.send({ records: stats.calls });
  }
});
process.on("disconnect", async () => {
  await server.close();
  await open.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
