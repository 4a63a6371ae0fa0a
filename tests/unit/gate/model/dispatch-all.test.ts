import fc from "fast-check";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import {
  type AnthropicToolResult,
  defineTool,
  type GeminiFunctionResponse,
  type OpenAiFunctionOutput,
  type OpenAiToolMessage,
  ToolgateError,
  textResult,
  toolResult,
} from "../../../../src/index.ts";
import { createTestGate } from "../../../../src/testing/test-gate.ts";
import { add, write } from "../../../tools.ts";

const picture = defineTool({
  id: "art.draw",
  description: "Draws.",
  permission: "read",
  input: { type: "object", properties: { mimeType: { type: "string" } }, required: ["mimeType"] },
  run: ({ mimeType }) =>
    toolResult({
      content: [
        { type: "text", text: "" },
        { type: "image", data: "AAAA", mimeType },
        { type: "resource_link", uri: "file:///a.txt", name: "a" },
        { type: "resource", resource: { uri: "file:///b.txt", text: "inside b" } },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      ],
    }),
});
const broken = defineTool({
  id: "it.fails",
  description: "Fails.",
  permission: "read",
  input: { type: "object" },
  run: () => textResult("nothing there", true),
});
const deny = { name: "no-notes", tools: "notes.*", action: "deny" as const, reason: "Notes are closed." };

async function gateOf(options = {}) {
  const { gate, ledger } = await createTestGate({ tools: [add, write, picture, broken], ...options });
  onTestFinished(() => gate.close());
  return { gate, ledger };
}

const text = (words: unknown) => ({ type: "text", text: words });
/** As Anthropic and OpenAI write a call. */
const use = (name: string, input: object, id = "t") => ({ type: "tool_use" as const, id, name, input });
const call = (name: string, args: string, id = "c") => ({
  id,
  type: "function" as const,
  function: { name, arguments: args },
});

describe("the tool uses of one turn", () => {
  it("of Anthropic are answered with tool_result blocks, in their order; texts are passed over", async () => {
    const { gate, ledger } = await gateOf({ policies: [deny] });
    const content = [
      { type: "text" as const, text: "Let me see." },
      use("math_add", { a: 1, b: 2 }, "toolu_1"),
      use("notes_write", { path: "a" }, "toolu_2"),
      { type: "server_tool_use" as const, id: "srv_1", name: "web_search", input: {} },
    ];
    const answers = await gate.dispatchAll(content, { sessionId: "s" });
    expectTypeOf(answers).toEqualTypeOf<AnthropicToolResult[]>();
    const refusal = [text(expect.stringMatching(/Notes are closed\.[\s\S]*\(policy no-notes\)/))];
    expect(answers).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: [text("3")] },
      { type: "tool_result", tool_use_id: "toolu_2", content: refusal, is_error: true },
    ]);
    expect(ledger.records().map(({ tool, sessionId, toolUseId }) => [tool, sessionId, toolUseId])).toEqual([
      ["math.add", "s", "toolu_1"],
      ["notes.write", "s", "toolu_2"],
    ]);
  });

  it("of OpenAI are answered with messages of the role tool; arguments are a text", async () => {
    const { gate } = await gateOf();
    const toolCalls = [call("math_add", '{"a":1,"b":2}', "call_1"), call("it_fails", "", "call_2")];
    const answers = await gate.dispatchAll(toolCalls);
    expectTypeOf(answers).toEqualTypeOf<OpenAiToolMessage[]>();
    expect(answers).toEqual([
      { role: "tool", tool_call_id: "call_1", content: "3" },
      { role: "tool", tool_call_id: "call_2", content: "nothing there" },
    ]);
  });

  it("of OpenAI's Responses API are answered with function_call_output items", async () => {
    const { gate } = await gateOf();
    const sum = { name: "math_add", arguments: '{"a":2,"b":2}' };
    const answers = await gate.dispatchAll([
      { type: "reasoning" as const, id: "rs_1" },
      { type: "function_call" as const, id: "fc_1", call_id: "call_1", ...sum },
    ]);
    expectTypeOf(answers).toEqualTypeOf<OpenAiFunctionOutput[]>();
    expect(answers).toEqual([{ type: "function_call_output", call_id: "call_1", output: "4" }]);
  });

  it("of Gemini are answered with functionResponse parts, from parts and from functionCalls", async () => {
    const { gate } = await gateOf();
    const parts: { text?: string; functionCall?: { id?: string; name?: string; args?: object } }[] = [
      { text: "Let me see." },
      { functionCall: { id: "f1", name: "math_add", args: { a: 1, b: 1 } } },
    ];
    const answers = await gate.dispatchAll(parts);
    expectTypeOf(answers).toEqualTypeOf<GeminiFunctionResponse[]>();
    expect(answers).toEqual([
      { functionResponse: { id: "f1", name: "math_add", response: { output: "2" } } },
    ]);
    expect(await gate.dispatchAll([{ name: "it_fails" }])).toEqual([
      { functionResponse: { name: "it_fails", response: { error: "nothing there" } } },
    ]);
  });

  it("of MCP are answered with results", async () => {
    const { gate } = await gateOf();
    const params = { name: "math_add", arguments: { a: 1, b: 1 } };
    const result = { content: [{ type: "text", text: "2" }] };
    expect(await gate.dispatchAll([params])).toEqual([result]);
    expect(await gate.dispatchAll([{ method: "tools/call", params }])).toEqual([result]);
    expect(await gate.dispatchAll([{ name: "it_fails", arguments: {} }])).toMatchObject([{ isError: true }]);
  });

  it("get images where the API takes them, and are told of what it does not take", async () => {
    const { gate } = await gateOf();
    const drawn = async (mimeType: string) =>
      (await gate.dispatchAll([use("art_draw", { mimeType })]))[0]?.content;
    const others = ["[a: file:///a.txt]", "inside b", "[audio of type audio/wav, not shown]"];
    const rest = others.map(text);
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    expect(await drawn("image/png")).toEqual([{ type: "image", source }, ...rest]);
    const unseen = text("[image of type image/svg+xml, not shown]");
    expect(await drawn("image/svg+xml")).toEqual([unseen, ...rest]);
    const [answer] = await gate.dispatchAll([call("art_draw", '{"mimeType":"image/png"}')]);
    expect(answer?.content).toBe(["[image of type image/png, not shown]", ...others].join("\n"));
  });

  it("that are no JSON are answered with what is wrong, and are on record", async () => {
    const { gate, ledger } = await gateOf();
    const [answer] = await gate.dispatchAll([call("math_add", '{"a":1,')]);
    expect(answer?.content).toMatch(/must be a JSON object[\s\S]*The arguments cannot be read/);
    expect(ledger.records()).toMatchObject([{ ok: false, code: "bad_call", toolUseId: "c" }]);
  });

  it("that name no tool are told the closest name that the model knows", async () => {
    const { gate } = await gateOf();
    const [answer] = await gate.dispatchAll([use("math_ad", {})]);
    const content = [{ text: expect.stringContaining("math_add") }];
    expect(answer).toMatchObject({ is_error: true, content });
    expect(JSON.stringify(answer)).not.toContain("math.add");
  });

  it("carry what hooks add to the conversation", async () => {
    const run = () => ({ contextModification: "Think of leap years." });
    const { gate } = await gateOf({ hooks: [{ name: "adds", type: "PreToolUse", run }] });
    const [answer] = await gate.dispatchAll([use("math_add", { a: 1, b: 2 })]);
    expect(answer?.content).toEqual([text("3"), text("Think of leap years.")]);
  });

  it("may be none: a turn without calls has null, undefined or an empty list", async () => {
    const { gate } = await gateOf();
    for (const none of [null, undefined, []]) expect(await gate.dispatchAll(none)).toEqual([]);
  });

  it("must be a list: anything else is a mistake of the program, told with what to pass", async () => {
    const { gate } = await gateOf();
    for (const told of [ToolgateError, /message\.tool_calls/])
      await expect(gate.dispatchAll({ content: [] } as never)).rejects.toThrow(told);
  });

  it("never throw, whatever a model wrote", async () => {
    const { gate } = await gateOf();
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true });
    const name = fc.oneof(fc.string(), fc.constantFrom("math_add", "__proto__", "constructor", ""));
    const type = fc.constant;
    const named = fc.record({ name, arguments: fc.oneof(name, fc.json(), anything) });
    const one = fc.oneof(
      anything,
      fc.record({ type: type("tool_use"), id: anything, name: fc.oneof(name, anything), input: anything }),
      fc.record({ type: type("function"), id: name, function: fc.oneof(anything, named) }),
      fc.record({ type: type("function_call"), call_id: anything, name, arguments: anything }),
      fc.record({ functionCall: fc.oneof(anything, fc.record({ name, args: anything })) }),
      fc.record({ name, arguments: anything }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 4 }), async (uses) => {
        const answers = await gate.dispatchAll(uses);
        expect(answers.length).toBeLessThanOrEqual(uses.length);
        JSON.stringify(answers);
      }),
      { numRuns: 200 },
    );
  });
});
