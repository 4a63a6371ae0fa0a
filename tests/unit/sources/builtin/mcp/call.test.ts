/** `mcp.call` and `tools.call` are the call of the tool they name. */
import { describe, expect, it } from "vitest";
import type { GateOptions } from "../../../../../src/index.ts";
import { targetOf } from "../../../../../src/sources/builtin/mcp/call.ts";
import { rule } from "../../rule.ts";
import { mcpGate, upstreamTool } from "./mcp-gate.ts";

async function openGate(options: GateOptions = {}) {
  const opened = await mcpGate({}, options);
  for (const id of ["hub__get_issue", "hub__delete_issue"]) {
    const tool = upstreamTool(id, "About issues.", { number: { type: "integer" } });
    opened.gate.tools.register(tool, { kind: "upstream", name: "hub" });
  }
  return opened;
}

describe.each([
  ["mcp.call", (tool: string) => ({ server: "hub", tool })],
  ["tools.call", (tool: string) => ({ name: `hub__${tool}` })],
])("%s", (name, to) => {
  it("is stopped by a rule about its target, and by one about itself", async () => {
    for (const tools of ["hub__*", name]) {
      const { code } = await openGate({ policies: [rule("deny", tools)] });
      expect(await code(name, to("get_issue"))).toBe("policy_denied");
    }
    const itself = await openGate({ policies: [rule("deny", name)] });
    expect(await itself.say("hub__get_issue")).toContain("hub__get_issue");
  });

  it("asks for what its target asks for, is checked by its schema, and plan mode holds for it", async () => {
    const { code, say } = await openGate();
    expect(await code(name, to("delete_issue"))).toBe("no_approver");
    expect(await code(name, to("delete_issue"), { mode: "plan" })).toBe("plan_mode");
    expect(await say(name, to("get_issue"), { mode: "plan" })).toContain("get_issue");
    expect(await code(name, { ...to("get_issue"), arguments: { number: "x" } })).toBe("invalid_input");
  });

  it("is refused while its category is off, also on the way to a tool that only reads", async () => {
    const never = await openGate({ enable: { disabledCategories: ["mcp"] } });
    expect(await never.code(name, to("get_issue"))).toBe("category_disabled");
    const { code, gate } = await openGate();
    gate.categories.disable("mcp");
    expect(await code(name, to("get_issue"))).toBe("category_disabled");
  });

  it("says which tool there is not, and offers one", async () => {
    const { failure } = await openGate();
    const { code, hint } = await failure(name, to("get_isue"));
    expect([code, hint]).toEqual(["unknown_tool", expect.stringContaining("hub__get_issue")]);
  });

  it("does not pass for harmless at a client", async () => {
    const { gate } = await openGate();
    expect(gate.tools.get(name)?.tool.annotations).toMatchObject({ readOnlyHint: false });
  });
});

const seven = { arguments: { number: 7 } };
const hub = { server: "hub", tool: "get_issue" };
const cline = { server_name: "hub", tool_name: "get_issue" };
it.for([
  ["mcp.call", { tool: "hub__get_issue", ...seven }],
  ["mcp_call", { ...hub, ...seven }],
  ["use_mcp_tool", { ...cline, arguments: '{"number": 7}' }],
  ["use_mcp_tool", { ...cline, ...seven, task_progress: "x" }],
  ["tools_call", { name: "hub__get_issue", ...seven }],
  ["tools_call", { name: "hub__get_issue", arguments: '{"number": 7}' }],
  ["tools_call", { tool_name: "hub__get_issue", args: { number: 7 } }],
] as const)("%s takes its target as %j: the record and the result are that tool's", async ([tool, input]) => {
  const { gate } = await openGate();
  const ran = { tool: "hub__get_issue", value: { ran: "hub__get_issue", input: { number: 7 } } };
  expect(await gate.dispatch({ tool, input })).toMatchObject({ ok: true, ...ran });
});

it.for([
  {},
  { server: "hub" },
  { server: "hub", tool: "" },
  { server: 7, tool: "get_issue" },
  { ...hub, arguments: [1] },
  { ...hub, arguments: "{" },
  { ...hub, arguments: '{"a":1,"a":2}' },
  { ...hub, arguments: { a: 1 }, args: { a: 2 } },
  { ...hub, tool_name: "delete_issue" },
  { ...hub, surprise: 1 },
])("mcp.call calls nothing where it is not clear what is meant: %j", async (input) => {
  const { code } = await openGate();
  expect(await code("mcp.call", input)).toBe("bad_call");
  expect(() => targetOf(input)).toThrow(TypeError);
});

it.for([
  ["mcp.call", { tool: "mcp.call", arguments: { tool: "hub__get_issue" } }],
  ["tools.call", { name: "tools.call", arguments: { name: "hub__get_issue" } }],
  ["tools.call", { name: "mcp.call", arguments: { tool: "hub__get_issue" } }],
  ["tools.call", { name: "hub__get_issue", tool: "hub__delete_issue" }],
  ["tools.call", { name: "hub__get_issue", arguments: [] }],
  ["tools.call", { name: "hub__get_issue", extra: 1 }],
  ["tools.call", {}],
] as const)("%s calls nothing, and no tool that only calls others: %j", async ([name, input]) => {
  expect(await (await openGate()).code(name, input)).toBe("bad_call");
});
