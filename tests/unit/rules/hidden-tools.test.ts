import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../src/config/file/parse-file.ts";
import type { Caller } from "../../../src/core/call/call.ts";
import type { Json } from "../../../src/core/input/json.ts";
import { type AnyTool, defineTool } from "../../../src/core/tool/tool.ts";
import type { HiddenTools } from "../../../src/rules/shapes/hidden-shape.ts";
import { allRoutes } from "../../../src/surfaces/serve/all-routes.ts";
import { createTestGate } from "../../../src/testing/test-gate.ts";
import { principal, startTestServer, testTokens } from "../../http-server.ts";
import { add, read, write } from "../../tools.ts";
import { createApi } from "../surfaces/http/api.ts";
import { connectLegacy, createMcpWorld } from "../surfaces/mcp/mcp-world.ts";

const by = (id: string): Caller => ({ id, capabilities: ["*"] });
const ci = by("ci-7");
const ann = by("ann");
const passing = defineTool({
  id: "pass.on",
  description: "Passes a call on.",
  permission: "read",
  category: "mcp",
  input: { type: "object" },
  run: () => "never",
});
const pass: AnyTool = { ...passing, delegate: (input) => input as { tool: string; input: Json } };
const tools = [add, read, write, pass];
const hidden: readonly HiddenTools[] = [{ caller: "ci-*", tools: ["notes.read", "math.*"] }];
const calls = { tool: "notes.read", input: { path: "a.md" } };

async function gateWith(more: readonly HiddenTools[]) {
  return (await createTestGate({ tools, hidden: more })).gate;
}

describe("a hidden tool", () => {
  it("is in no list of a caller from whom it is hidden, and in every other", async () => {
    const gate = await gateWith(hidden);
    const seen = (caller: Caller) => [
      gate.tools.view({ caller }).map(({ id }) => id),
      gate.tools.definitions({ caller }).map(({ name }) => name),
    ];
    expect(seen(ci)).toEqual([
      ["notes.write", "pass.on"],
      ["notes_write", "pass_on"],
    ]);
    expect(seen(ann)[0]).toEqual(["math.add", "notes.read", "notes.write", "pass.on"]);
    expect(gate.tools.seenBy(ci, "notes_read")).toBeUndefined();
    expect(gate.tools.viewKey(ci)).not.toBe(gate.tools.viewKey(ann));
  });

  it("answers as a tool that does not exist, word for word, by every name and through other tools", async () => {
    const gate = await gateWith(hidden);
    const without = (await createTestGate({ tools: [write, pass] })).gate;
    const answers = async (where: typeof gate, tool: string, input: object) => {
      const outcome = await where.dispatch({ tool, input, caller: ci });
      return outcome.ok ? "ran" : [outcome.error.code, outcome.error.message, outcome.error.hint];
    };
    for (const name of ["notes.read", "notes_read", "notes.rea", "math.add"]) {
      const expected = await answers(without, name, calls.input);
      expect(expected[0]).toBe("unknown_tool");
      expect(await answers(gate, name, calls.input)).toEqual(expected);
      const through = { tool: name, input: calls.input };
      expect(await answers(gate, "pass.on", through)).toEqual(await answers(without, "pass.on", through));
    }
    expect((await gate.dispatch({ ...calls, caller: ann })).ok).toBe(true);
    expect((await gate.partial({ ...calls, toolUseId: "t", caller: ci })).ok).toBe(false);
  });

  it("is a tool of the agent's own where an agent only asks", async () => {
    const gate = (
      await createTestGate({
        tools,
        hidden,
        policies: [{ name: "no-reading", tools: "notes.read", action: "deny" }],
      })
    ).gate;
    expect((await gate.check({ ...calls, caller: ci })).verdict).toBe("deny");
  });

  it.each<[HiddenTools, readonly string[]]>([
    [{ categories: ["custom"] }, ["pass.on"]],
    [
      { caller: { not: "ci-*" }, categories: ["custom"] },
      ["math.add", "notes.read", "notes.write", "pass.on"],
    ],
    [{ caller: "ci-*", categories: ["mcp"], tools: "math.add" }, ["notes.read", "notes.write"]],
    [{ caller: { right: "admin" }, tools: "*" }, []],
  ])("is chosen by category, name and caller: %j", async (one, left) => {
    const gate = await gateWith([one]);
    expect(gate.tools.view({ caller: ci }).map(({ id }) => id)).toEqual(left);
  });

  it.each([
    [[{}], "has an entry that hides nothing"],
    [[{ categories: [] }], "categories are no list of names"],
    [[{ tools: [7] }], "neither a name, a pattern"],
    [[{ tools: "*", caller: {} }], "caller is empty"],
    [[{ tool: "x" }], 'unknown key "tool"; did you mean "tools"'],
    ["x", "must be a list"],
    [["x"], "must be a list of objects"],
  ])("is refused as %j", async (wrong, message) => {
    await expect(createTestGate({ hidden: wrong as never })).rejects.toThrow(message);
  });

  it.each([
    ["tools: { hidden: [{ caller: ci }] }", "tools.hidden[0]: hides nothing; say categories or tools."],
    ["tools: { hidden: [{ tools: x, who: ci }] }", "unknown key"],
    ["tools: { hidden: { tools: x } }", "tools.hidden: expected a list"],
    ["tools: { hidden: [{ categories: [] }] }", "empty list"],
  ])("is refused in a file: %s", (text, message) => {
    const parsed = parseConfigFile(text, "c.yaml", "config");
    expect(parsed.ok ? [] : parsed.problems.map((one) => one.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });
});

it("a hidden tool over MCP is not listed and unknown to the client from which it is hidden", async () => {
  const { server } = await createMcpWorld({ tools, hidden });
  const answers = async (caller: Caller) => {
    const client = await connectLegacy(server, {}, { caller });
    const listed = (await client.ask("tools/list")).result.tools as { name: string }[];
    const called = await client.ask("tools/call", { name: "notes_read", arguments: calls.input });
    return [listed.map(({ name }) => name), called.error?.message ?? "ran"];
  };
  // The list is kept: whoever comes second must not get the first one's.
  expect(await answers(ann)).toEqual([["math_add", "notes_read", "notes_write", "pass_on"], "ran"]);
  expect(await answers(ci)).toEqual([
    ["notes_write", "pass_on"],
    expect.stringMatching(/^There is no tool "notes_read"\. /),
  ]);
});

it("a hidden tool over REST is not listed, not found, not counted and not called", async () => {
  const holder = principal("ci-7", ["call", "read"]);
  await using server = await startTestServer({
    routes: allRoutes,
    gate: { tools, hidden },
    tokens: { find: (token) => (token === "ci" ? holder : testTokens.find(token)) },
  });
  const api = createApi(server);
  const asCi = { token: "ci" };
  expect((await api.get("/api/tools")).body.counts.total).toBe(4);
  expect((await api.get("/api/tools", asCi)).body.counts.total).toBe(2);
  const custom = ({ body }: { body: { categories: { id: string; tools: number }[] } }) =>
    body.categories.find(({ id }) => id === "custom")?.tools;
  expect([custom(await api.get("/api/categories")), custom(await api.get("/api/categories", asCi))]).toEqual([
    3, 1,
  ]);
  const found = await api.get("/api/tools/notes.read", asCi);
  expect([found.status, found.body.detail]).toEqual([404, 'There is no tool "notes.read".']);
  expect((await api.post("/api/tools/notes.read/call", { input: calls.input }, asCi)).status).toBe(404);
  const streamed = { ...asCi, headers: { accept: "text/event-stream" } };
  expect((await api.post("/api/tools/notes.read/call", { input: calls.input }, streamed)).status).toBe(404);
  expect((await api.post("/api/tools/notes.read/call", { input: calls.input })).body.ok).toBe(true);
});
