// toolgate as a contestant: the built package with the whole walk, rules that concern the tool, and the SQLite ledger in a folder of its own.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const names = Array.from({ length: 10 }, (_, index) => index);

/** With `permission: "execute"` a policy approves the calls; a tool that only reads needs none. */
export function asToolgate(command, upstream, { permission = "read" } = {}) {
  return {
    ours: true,
    prepare({ tools, folder }) {
      const home = join(folder, "home");
      mkdirSync(join(home, ".config", "toolgate"), { recursive: true });
      // JSON is YAML.
      const config = JSON.stringify(configuration(upstream(tools), permission), undefined, 2);
      writeFileSync(join(home, ".config", "toolgate", "config.yaml"), config);
      if (command === "serve")
        toolgate(
          folder,
          "tokens",
          "create",
          "bench",
          "--rights",
          "call,read",
          "--out",
          join(folder, "token"),
        );
    },
    args: ({ port }) => (command === "mcp" ? [cli, "mcp", "--tools", "all"] : [cli, "serve", "--port", port]),
    headers: ({ folder }) =>
      command === "mcp"
        ? {}
        : { Authorization: `Bearer ${readFileSync(join(folder, "token"), "utf8").trim()}` },
  };
}

/** As many rules as in the benchmark of the walk; some concern the tool that is called, none stops it. */
function configuration(args, permission) {
  return {
    version: 1,
    tools: { enabled_categories: ["mcp"] },
    // Not by search: the others list them all, too.
    mcp: { tools: "all" },
    upstreams: { up: { command: process.execPath, args, permission } },
    routes: Object.fromEntries(
      names.map((index) => [
        `route-${index}`,
        {
          tool: index < 3 ? "up__*" : `other_${index}`,
          field: "text",
          pattern: `^forbidden ${index}`,
          message: "Not this way.",
        },
      ]),
    ),
    policies: Object.fromEntries([
      ...(permission === "read" ? [] : [["calls-are-fine", { tools: "up__*", action: "approve" }]]),
      ...[...names, ...names].map((_, index) => [
        `policy-${index}`,
        {
          tools: index < 5 ? "up__*" : `other_${index}`,
          action: "deny",
          conditions: [{ type: "argument", field: "text", operator: "contains", value: [`secret ${index}`] }],
          reason: "No secrets.",
        },
      ]),
    ]),
    limits: { others: { tools: "other_*", per: "caller", max: 100, windowMs: 60_000 } },
    server: { limits: { max_in_flight: 10_000, max_per_minute: 1_000_000_000 } },
  };
}

function toolgate(folder, ...args) {
  const env = { PATH: process.env.PATH, HOME: join(folder, "home") };
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`toolgate ${args[0]} ended with ${status}: ${stderr}`);
}
