/** Upstream servers of real configuration files: put in force while a gate runs, reached by the mcp tools, looked at by doctor. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../src/core/call/content.ts";
import { openTools } from "../../../src/open/open-tools.ts";
import { checkUpstreamServers } from "../../../src/surfaces/cli/commands/doctor/upstreams.ts";
import { createWorld, type World } from "../config/world.ts";

const server = fileURLToPath(new URL("../../scripted-mcp-server.ts", import.meta.url));
const echo = { name: "echo", description: "Says it again.", inputSchema: { type: "object" } };

function configure(world: World, more = "") {
  const script = join(world.home, "script.json");
  writeFileSync(script, JSON.stringify({ tools: [echo], resources: [{ uri: "note://a", name: "a" }] }));
  const command = `command: ${process.execPath}, args: ['${server}', '${script}']`;
  world.user(
    `policies:\n  all: { tools: '*', action: approve }\nupstreams:\n  notes: { ${command}, era: legacy }\n${more}`,
  );
  return world.open();
}

describe("upstream servers of a configuration", () => {
  it("come and go with it while a gate runs, and their resources are read by the mcp tools", async () => {
    const world = createWorld();
    const before = await world.open();
    const open = await openTools(before, { durable: false, upstreams: "live", env: process.env });
    onTestFinished(() => open.close());
    expect(open.upstreams.upstreams.status()).toEqual([]);

    await open.setRules(await configure(world));
    await open.upstreams.look();
    expect(open.gate.tools.has("notes__echo")).toBe(true);
    const read = await open.gate.dispatch({ tool: "mcp.resource_read", input: { uri: "note://a" } });
    expect(textOf(read.result)).toBe("text of note://a");
    const input = { server: "notes", tool: "echo", arguments: { a: 1 } };
    const through = await open.gate.dispatch({ tool: "mcp.call", input });
    expect(through).toMatchObject({ ok: true, tool: "notes__echo" });

    await open.setRules(before);
    expect(open.gate.tools.has("notes__echo")).toBe(false);
    expect(open.upstreams.upstreams.status()).toEqual([]);
  });

  it("that cannot be used are found by doctor before anybody starts them", async () => {
    const world = createWorld();
    const missing = `  web: { url: 'https://web.example/', headers: { A: '\${TOOLGATE_TEST_NOT_SET}' } }\n`;
    const config = await configure(world, `${missing}  gone: { command: toolgate-no-such-program }\n`);
    const findings = await checkUpstreamServers(config, { env: { PATH: process.env.PATH } });
    expect(findings.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "problem: The upstream web cannot be used: the environment variable TOOLGATE_TEST_NOT_SET is not set, and its settings need it.",
      "problem: The upstream gone cannot be started: there is no program toolgate-no-such-program.",
    ]);
  });
});
