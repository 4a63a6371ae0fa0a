import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { type AnyTool, defineTool } from "../../../../src/index.ts";
import { portsOfGate } from "../../../../src/sources/builtin/gate-ports.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
import type { McpServerParts } from "../../../../src/surfaces/mcp/server-parts.ts";
import type { TestGateOptions } from "../../../../src/testing/test-gate.ts";
import { connectLegacy, createMcpWorld } from "./mcp-world.ts";

const ran: unknown[] = [];

function upstreamTool(id: string, description: string): AnyTool {
  return defineTool({
    id,
    description,
    category: "mcp",
    permission: "read",
    input: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
    run: (input) => {
      ran.push(input);
      return `ran ${id}`;
    },
  });
}

async function searchWorld(
  options: TestGateOptions = {},
  parts: Partial<McpServerParts> = { tools: "search" },
) {
  const holder: { gate?: Parameters<typeof portsOfGate>[0] extends () => infer G ? G : never } = {};
  const { catalogue } = portsOfGate(() => holder.gate as NonNullable<typeof holder.gate>);
  const world = await createMcpWorld({ ...options, tools: createMcpTools({ catalogue }) }, parts);
  holder.gate = world.gate;
  for (const [server, name, description] of [
    ["hub", "get_issue", "Reads an issue."],
    ["hub", "close_issue", "Closes an issue."],
    ["chat", "post_message", "Writes into a channel."],
  ])
    world.gate.tools.register(upstreamTool(`${server}__${name}`, description ?? ""), {
      kind: "upstream",
      name: server ?? "",
    });
  const client = await connectLegacy(world.server);
  const call = async (name: string, input: JsonObject) => {
    const { result } = await client.ask("tools/call", { name, arguments: input });
    return { text: result.content[0]?.text, isError: result.isError === true };
  };
  return { ...world, client, call };
}

describe("search mode over MCP", () => {
  it("lists only the tools that find, describe and call, and names the groups of the others", async () => {
    const { client } = await searchWorld();
    const { result } = await client.ask("tools/list");
    const tools = result.tools as { name: string; description: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["tools_call", "tools_describe", "tools_search"]);
    expect(tools[2]?.description).toMatch(/Groups here: .*hub \(2\), chat \(1\)\.$/);
  });

  it("is told once to the person who runs it where nobody chose it", async () => {
    const told: string[] = [];
    const onSearchMode = (why: string) => told.push(why);
    const chosen = await searchWorld({}, { tools: "search", onSearchMode });
    await chosen.client.ask("tools/list");
    expect(told).toEqual([]);
    const { client, gate } = await searchWorld({}, { tools: "auto", tokenBudget: 10, onSearchMode });
    await client.ask("tools/list");
    gate.tools.register(upstreamTool("hub__more", "More."), { kind: "upstream", name: "hub" });
    await client.ask("tools/list");
    expect(told).toEqual([expect.stringMatching(/of \d+ tools cost more than 10 tokens.*--tools all/)]);
  });

  it("leads from a question to the tool, its schema and its call", async () => {
    const { call } = await searchWorld();
    expect((await call("tools_search", { query: "read a ticket" })).text).toMatch(
      /^hub__get_issue \[hub\]: Reads an issue. \(number: integer\)$/m,
    );
    expect((await call("tools_describe", { names: ["hub__get_issue"] })).text).toContain(
      '"required":["number"]',
    );
    ran.length = 0;
    const answer = await call("tools_call", { name: "hub__get_issue", arguments: { number: 7 } });
    expect(answer).toEqual({ text: "ran hub__get_issue", isError: false });
    expect(ran).toEqual([{ number: 7 }]);
  });

  it("asks the same rules about what is called through it", async () => {
    const { call } = await searchWorld({
      policies: [{ name: "no closing", tools: "hub__close*", action: "deny" }],
    });
    ran.length = 0;
    const answer = await call("tools_call", { name: "hub__close_issue", arguments: { number: 7 } });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("policy denies it");
    expect(ran).toEqual([]);
    expect((await call("tools_search", { query: "close an issue" })).text).not.toContain("hub__close_issue");
  });
});
