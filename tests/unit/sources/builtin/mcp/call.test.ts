import { describe, expect, it } from "vitest";
import { targetOf } from "../../../../../src/sources/builtin/mcp/call.ts";
import { mcpGate, upstreamTool } from "./mcp-gate.ts";

async function openGate(options: Parameters<typeof mcpGate>[1] = {}) {
  const opened = await mcpGate({}, options);
  for (const id of ["hub__get_issue", "hub__delete_issue"])
    opened.gate.tools.register(upstreamTool(id, "About issues."), { kind: "upstream", name: "hub" });
  return opened;
}

describe("mcp.call", () => {
  it("is the call of the tool it names: the record, the rules and the result are that tool's", async () => {
    const { gate } = await openGate();
    const outcome = await gate.dispatch({
      tool: "mcp.call",
      input: { server: "hub", tool: "get_issue", arguments: { number: 7 } },
    });
    expect(outcome).toMatchObject({
      ok: true,
      tool: "hub__get_issue",
      value: { ran: "hub__get_issue", input: { number: 7 } },
    });
  });

  it("is stopped by a rule about its target, and by one about itself", async () => {
    const target = await openGate({ policies: [{ name: "no", tools: "hub__*", action: "deny" }] });
    const input = { server: "hub", tool: "get_issue" };
    expect(await target.say("mcp.call", input)).toMatch(/^policy_denied /);
    const itself = await openGate({ policies: [{ name: "no", tools: "mcp.call", action: "deny" }] });
    expect(await itself.say("mcp.call", input)).toMatch(/^policy_denied /);
    expect(await itself.say("hub__get_issue")).toContain("hub__get_issue");
  });

  it("asks for what its target asks for, and plan mode holds for the target", async () => {
    const { say } = await openGate();
    const input = { server: "hub", tool: "delete_issue" };
    expect(await say("mcp.call", input)).toMatch(/^no_approver /);
    expect(await say("mcp.call", input, { mode: "plan" })).toMatch(/^plan_mode /);
    expect(await say("mcp.call", { server: "hub", tool: "get_issue" }, { mode: "plan" })).toContain(
      "get_issue",
    );
  });

  it("is refused while the category is off", async () => {
    const { say } = await openGate({ enable: { disabledCategories: ["mcp"] } });
    expect(await say("mcp.call", { server: "hub", tool: "get_issue" })).toMatch(/^category_disabled /);
  });

  it("is refused while its category is off, also on the way to a tool that only reads", async () => {
    const { say, gate } = await openGate();
    gate.categories.disable("mcp");
    expect(await say("mcp.call", { server: "hub", tool: "get_issue" })).toMatch(/^category_disabled /);
  });

  it("says which tool there is not, and offers one", async () => {
    const { gate } = await openGate();
    const outcome = await gate.dispatch({ tool: "mcp.call", input: { server: "hub", tool: "get_isue" } });
    expect(outcome).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
    expect(!outcome.ok && outcome.error.hint).toContain("hub__get_issue");
  });

  it("calls no tool that only calls others", async () => {
    const { say } = await openGate();
    expect(await say("mcp.call", { tool: "mcp.call", arguments: { tool: "hub__get_issue" } })).toMatch(
      /^bad_call /,
    );
  });

  it.each([
    ["mcp.call", { tool: "hub__get_issue", arguments: { number: 7 } }],
    ["mcp_call", { server: "hub", tool: "get_issue", arguments: { number: 7 } }],
    ["use_mcp_tool", { server_name: "hub", tool_name: "get_issue", arguments: '{"number": 7}' }],
    [
      "use_mcp_tool",
      { server_name: "hub", tool_name: "get_issue", arguments: { number: 7 }, task_progress: "x" },
    ],
  ])("takes the target as %s names it", async (name, input) => {
    const { gate } = await openGate();
    expect(await gate.dispatch({ tool: name, input })).toMatchObject({
      ok: true,
      value: { ran: "hub__get_issue", input: { number: 7 } },
    });
  });

  it.each([
    {},
    { server: "hub" },
    { server: "hub", tool: "" },
    { server: 7, tool: "get_issue" },
    { server: "hub", tool: "get_issue", arguments: [1] },
    { server: "hub", tool: "get_issue", arguments: "{" },
    { server: "hub", tool: "get_issue", arguments: '{"a":1,"a":2}' },
    { server: "hub", tool: "get_issue", arguments: { a: 1 }, args: { a: 2 } },
    { server: "hub", tool: "get_issue", tool_name: "delete_issue" },
    { server: "hub", tool: "get_issue", surprise: 1 },
  ])("calls nothing when it is not clear what is meant: %j", async (input) => {
    const { say } = await openGate();
    expect(await say("mcp.call", input)).toMatch(/^bad_call /);
    expect(() => targetOf(input)).toThrow(TypeError);
  });
});
