import { describe, expect, it } from "vitest";
import { mcpGate, upstreamTool } from "./mcp-gate.ts";

async function openGate(options: Parameters<typeof mcpGate>[1] = {}) {
  const opened = await mcpGate({}, options);
  for (const id of ["hub__get_issue", "hub__delete_issue"])
    opened.gate.tools.register(upstreamTool(id, "About issues.", { number: { type: "integer" } }), {
      kind: "upstream",
      name: "hub",
    });
  return opened;
}

describe("tools.call", () => {
  it.each([
    { name: "hub__get_issue", arguments: { number: 7 } },
    { name: "hub__get_issue", arguments: '{"number": 7}' },
    { tool_name: "hub__get_issue", args: { number: 7 } },
  ])("is the call of the tool it names: the record and the result are that tool's (%j)", async (input) => {
    const { gate } = await openGate();
    expect(await gate.dispatch({ tool: "tools_call", input })).toMatchObject({
      ok: true,
      tool: "hub__get_issue",
      value: { ran: "hub__get_issue", input: { number: 7 } },
    });
  });

  it("is stopped by a rule about its target, and by one about itself", async () => {
    const input = { name: "hub__get_issue" };
    const target = await openGate({ policies: [{ name: "no", tools: "hub__*", action: "deny" }] });
    expect(await target.say("tools.call", input)).toMatch(/^policy_denied /);
    const itself = await openGate({ policies: [{ name: "no", tools: "tools.call", action: "deny" }] });
    expect(await itself.say("tools.call", input)).toMatch(/^policy_denied /);
  });

  it("asks for what its target asks for, is checked by its schema, and plan mode holds", async () => {
    const { say } = await openGate();
    expect(await say("tools.call", { name: "hub__delete_issue" })).toMatch(/^no_approver /);
    expect(await say("tools.call", { name: "hub__delete_issue" }, { mode: "plan" })).toMatch(/^plan_mode /);
    expect(await say("tools.call", { name: "hub__get_issue", arguments: { number: "x" } })).toMatch(
      /^invalid_input /,
    );
  });

  it.each(["tools.call", "mcp.call"])("does not pass for harmless at a client: %s", async (name) => {
    const { gate } = await openGate();
    expect(gate.tools.get(name)?.tool.annotations).toMatchObject({ readOnlyHint: false });
  });

  it.each([
    [{ name: "tools.call", arguments: { name: "hub__get_issue" } }, "bad_call"],
    [{ name: "mcp.call", arguments: { tool: "hub__get_issue" } }, "bad_call"],
    [{ name: "hub__get_issue", tool: "hub__delete_issue" }, "bad_call"],
    [{ name: "hub__get_issue", arguments: [] }, "bad_call"],
    [{ name: "hub__get_issue", extra: 1 }, "bad_call"],
    [{}, "bad_call"],
    [{ name: "hub__nope" }, "unknown_tool"],
  ])("calls nothing where it is not clear what: %j", async (input, code) => {
    const { say } = await openGate();
    expect((await say("tools.call", input)).split(" ")[0]).toBe(code);
  });
});
