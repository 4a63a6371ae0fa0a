import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import { codeOf, endOf, messageOf, paperGate, throws, tool } from "../../paper-gate.ts";

describe("resolve", () => {
  it.each([undefined, null, 7, {}, ["x.run"], true])("refuses %j as a tool's name", async (name) => {
    const { gate } = await paperGate({ tools: [tool()] });
    expect(codeOf(await gate.dispatch({ tool: name as never }))).toBe("bad_call");
    expect(codeOf(await gate.check({ tool: name as never }))).toBe("bad_call");
  });

  it.each([undefined, null, 7, "x.run", []])("refuses %j as a whole call", async (request) => {
    const { gate } = await paperGate({ tools: [tool()] });
    expect(codeOf(await gate.dispatch(request as never))).toBe("bad_call");
    expect(codeOf(await gate.check(request as never))).toBe("bad_call");
    expect((await gate.explain(request as never)).code).toBe("bad_call");
  });

  it.each([
    ["a function", { f: () => 1 }],
    ["a bigint", { n: 1n }],
    ["a symbol", { s: Symbol("s") }],
    ["infinity", { n: Number.POSITIVE_INFINITY }],
    ["a map", new Map()],
    ["a date", { at: new Date(0) }],
    ["text", "path"],
    ["a list", ["a"]],
  ])("refuses an input that holds or is %s", async (_, input) => {
    expect(await endOf({ tools: [tool()] }, { input })).toBe("bad_call");
  });

  it("takes no input as an empty object", async () => {
    const seen: unknown[] = [];
    const { gate } = await paperGate({ tools: [tool({ run: (args: unknown) => void seen.push(args) })] });
    await gate.dispatch({ tool: "x.run" });
    await gate.dispatch({ tool: "x.run", input: null });
    expect(seen).toEqual([{}, {}]);
  });

  it("hands on a copy: changing the caller's object afterwards changes nothing", async () => {
    const input = { path: "a" };
    const { gate } = await paperGate({
      tools: [tool({ run: (args: { path: string }) => args.path })],
      hooks: [
        {
          name: "h",
          type: "PreToolUse",
          run: async () => Object.assign(input, { path: "/etc/passwd" }) && undefined,
        },
      ],
    });
    expect(await gate.dispatch({ tool: "x.run", input })).toMatchObject({ ok: true, value: "a" });
  });

  it("lets nobody change the input on the way", async () => {
    const hook = {
      name: "h",
      type: "PreToolUse" as const,
      run: ({ preToolUse }: { preToolUse: { parameters: Json } }) =>
        void Object.assign(preToolUse.parameters as object, { path: "/etc/passwd" }),
    };
    expect(await endOf({ tools: [tool()], hooks: [hook] }, { input: { path: "a" } })).toBe("hook_failed");
  });

  it("refuses what is too deep, has too many keys or is too large before any rule sees it", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      policies: [{ name: "no", tools: "*", action: "deny" }],
    });
    const deep = JSON.parse(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`);
    for (const input of [deep, { text: "x".repeat(20_000_000) }])
      expect(codeOf(await gate.dispatch({ tool: "x.run", input }))).toBe("input_too_large");
  });

  it("refuses everything once the gate is closed", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    await gate.close();
    await gate.close();
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("gate_closed");
    expect(codeOf(await gate.check({ tool: "x.run" }))).toBe("gate_closed");
    expect((await gate.explain({ tool: "x.run" })).code).toBe("gate_closed");
    expect(await gate.partial({ tool: "x.run", toolUseId: "u", input: {} })).toMatchObject({
      ok: false,
      error: { code: "gate_closed" },
    });
  });
});

it("a typed call of a tool that this gate does not have is refused, even if another has its id", async () => {
  const { gate } = await paperGate({ tools: [tool()] });
  expect(codeOf(await gate.call(tool({ run: () => "other" }), {}))).toBe("unknown_tool");
  expect(codeOf(await gate.call(tool({ id: "y.run" }), {}))).toBe("unknown_tool");
});

describe("a tool that only calls another", () => {
  const target = tool({
    id: "target",
    input: { type: "object", properties: { n: { type: "number" } } },
    run: (args: { n: number }) => args.n,
  });
  const delegate = (input: Json) => input as { tool: string; input: Json };
  const caller = tool({ id: "tools.call", delegate });

  it("becomes its target before any rule sees the call", async () => {
    const { gate, ledger } = await paperGate({ tools: [target, caller] });
    expect(
      await gate.dispatch({ tool: "tools.call", input: { tool: "target", input: { n: 3 } } }),
    ).toMatchObject({ ok: true, tool: "target", value: 3 });
    expect(ledger.records()).toMatchObject([{ askedFor: "tools.call", tool: "target", input: { n: 3 } }]);
  });

  const through = (input: object, options: object = {}) =>
    endOf({ tools: [target, caller], ...options }, { tool: "tools.call", input });

  it("passes every rule about the target", async () => {
    const policies = [{ name: "no", tools: "target", action: "deny" as const }];
    expect(await through({ tool: "target", input: {} }, { policies })).toBe("policy_denied");
    expect(await through({ tool: "target", input: { n: "x" } })).toBe("invalid_input");
  });

  it("goes one step and no further, and names what it does not know", async () => {
    expect(await through({ tool: "tools.call", input: {} })).toBe("bad_call");
    const { gate } = await paperGate({ tools: [target, caller] });
    const unknown = await gate.dispatch({ tool: "tools.call", input: { tool: "nothing" } });
    expect(messageOf(unknown)).toContain('"nothing"');
  });

  it("that cannot tell its target is refused", async () => {
    const broken = tool({ id: "tools.call", delegate: throws(new Error("no idea")) });
    expect(await endOf({ tools: [broken] }, { tool: "tools.call" })).toBe("bad_call");
  });
});
