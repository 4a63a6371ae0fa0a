import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
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
  return { gate, ledger };
}

describe("the tool uses of one turn", () => {
  it("of Anthropic are answered with tool_result blocks, in their order; texts are passed over", async () => {
    const { gate, ledger } = await gateOf({ policies: [deny] });
    const content = [
      { type: "text" as const, text: "Let me see." },
      { type: "tool_use" as const, id: "toolu_1", name: "math_add", input: { a: 1, b: 2 } },
      { type: "tool_use" as const, id: "toolu_2", name: "notes_write", input: { path: "a" } },
      { type: "server_tool_use" as const, id: "srv_1", name: "web_search", input: {} },
    ];
    const answers = await gate.dispatchAll(content, { sessionId: "s" });
    expectTypeOf(answers).toEqualTypeOf<AnthropicToolResult[]>();
    expect(answers).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "3" }] },
      {
        type: "tool_result",
        tool_use_id: "toolu_2",
        content: [
          { type: "text", text: expect.stringMatching(/Notes are closed\.[\s\S]*\(policy no-notes\)/) },
        ],
        is_error: true,
      },
    ]);
    expect(ledger.records().map(({ tool, sessionId, toolUseId }) => [tool, sessionId, toolUseId])).toEqual([
      ["math.add", "s", "toolu_1"],
      ["notes.write", "s", "toolu_2"],
    ]);
    await gate.close();
  });

  it("of OpenAI are answered with messages of the role tool; arguments are a text", async () => {
    const { gate } = await gateOf();
    const toolCalls = [
      {
        id: "call_1",
        type: "function" as const,
        function: { name: "math_add", arguments: '{"a":1,"b":2}' },
      },
      { id: "call_2", type: "function" as const, function: { name: "it_fails", arguments: "" } },
    ];
    const answers = await gate.dispatchAll(toolCalls);
    expectTypeOf(answers).toEqualTypeOf<OpenAiToolMessage[]>();
    expect(answers).toEqual([
      { role: "tool", tool_call_id: "call_1", content: "3" },
      { role: "tool", tool_call_id: "call_2", content: "nothing there" },
    ]);
    await gate.close();
  });

  it("of OpenAI's Responses API are answered with function_call_output items", async () => {
    const { gate } = await gateOf();
    const output = [
      { type: "reasoning" as const, id: "rs_1" },
      {
        type: "function_call" as const,
        id: "fc_1",
        call_id: "call_1",
        name: "math_add",
        arguments: '{"a":2,"b":2}',
      },
    ];
    const answers = await gate.dispatchAll(output);
    expectTypeOf(answers).toEqualTypeOf<OpenAiFunctionOutput[]>();
    expect(answers).toEqual([{ type: "function_call_output", call_id: "call_1", output: "4" }]);
    await gate.close();
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
    await gate.close();
  });

  it("of MCP are answered with results", async () => {
    const { gate } = await gateOf();
    const params = { name: "math_add", arguments: { a: 1, b: 1 } };
    const result = { content: [{ type: "text", text: "2" }] };
    expect(await gate.dispatchAll([params])).toEqual([result]);
    expect(await gate.dispatchAll([{ method: "tools/call", params }])).toEqual([result]);
    expect(await gate.dispatchAll([{ name: "it_fails", arguments: {} }])).toMatchObject([{ isError: true }]);
    await gate.close();
  });

  it("get images where the API takes them, and are told of what it does not take", async () => {
    const { gate } = await gateOf();
    const use = (mimeType: string) => [
      { type: "tool_use" as const, id: "t", name: "art_draw", input: { mimeType } },
    ];
    const rest = [
      { type: "text", text: "[a: file:///a.txt]" },
      { type: "text", text: "inside b" },
      { type: "text", text: "[audio of type audio/wav, not shown]" },
    ];
    expect((await gate.dispatchAll(use("image/png")))[0]?.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      ...rest,
    ]);
    expect((await gate.dispatchAll(use("image/svg+xml")))[0]?.content).toEqual([
      { type: "text", text: "[image of type image/svg+xml, not shown]" },
      ...rest,
    ]);
    const call = { name: "art_draw", arguments: '{"mimeType":"image/png"}' };
    expect(
      (await gate.dispatchAll([{ id: "c", type: "function" as const, function: call }]))[0]?.content,
    ).toBe(
      "[image of type image/png, not shown]\n[a: file:///a.txt]\ninside b\n[audio of type audio/wav, not shown]",
    );
    await gate.close();
  });

  it("that are no JSON are answered with what is wrong, and are on record", async () => {
    const { gate, ledger } = await gateOf();
    const call = { name: "math_add", arguments: '{"a":1,' };
    const [answer] = await gate.dispatchAll([{ id: "c", type: "function" as const, function: call }]);
    expect(answer?.content).toMatch(/must be a JSON object[\s\S]*The arguments cannot be read/);
    expect(ledger.records()).toMatchObject([{ ok: false, code: "bad_call", toolUseId: "c" }]);
    await gate.close();
  });

  it("that name no tool are told the closest name that the model knows", async () => {
    const { gate } = await gateOf();
    const [answer] = await gate.dispatchAll([
      { type: "tool_use" as const, id: "t", name: "math_ad", input: {} },
    ]);
    expect(answer).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining("math_add") }],
    });
    expect(JSON.stringify(answer)).not.toContain("math.add");
    await gate.close();
  });

  it("carry what hooks add to the conversation", async () => {
    const { gate } = await gateOf({
      hooks: [
        {
          name: "adds",
          type: "PreToolUse" as const,
          run: () => ({ contextModification: "Think of leap years." }),
        },
      ],
    });
    const [answer] = await gate.dispatchAll([
      { type: "tool_use" as const, id: "t", name: "math_add", input: { a: 1, b: 2 } },
    ]);
    expect(answer?.content).toEqual([
      { type: "text", text: "3" },
      { type: "text", text: "Think of leap years." },
    ]);
    await gate.close();
  });

  it("may be none: a turn without calls has null, undefined or an empty list", async () => {
    const { gate } = await gateOf();
    for (const none of [null, undefined, []]) expect(await gate.dispatchAll(none)).toEqual([]);
    await gate.close();
  });

  it("must be a list: anything else is a mistake of the program, told with what to pass", async () => {
    const { gate } = await gateOf();
    await expect(gate.dispatchAll({ content: [] } as never)).rejects.toThrow(ToolgateError);
    await expect(gate.dispatchAll({ content: [] } as never)).rejects.toThrow(/message\.tool_calls/);
    await gate.close();
  });

  it("never throw, whatever a model wrote", async () => {
    const { gate } = await gateOf();
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true });
    const text = fc.oneof(fc.string(), fc.constantFrom("math_add", "__proto__", "constructor", ""));
    const use = fc.oneof(
      anything,
      fc.record({
        type: fc.constant("tool_use"),
        id: anything,
        name: fc.oneof(text, anything),
        input: anything,
      }),
      fc.record({
        type: fc.constant("function"),
        id: text,
        function: fc.oneof(
          anything,
          fc.record({ name: text, arguments: fc.oneof(text, fc.json(), anything) }),
        ),
      }),
      fc.record({ type: fc.constant("function_call"), call_id: anything, name: text, arguments: anything }),
      fc.record({ functionCall: fc.oneof(anything, fc.record({ name: text, args: anything })) }),
      fc.record({ name: text, arguments: anything }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(use, { maxLength: 4 }), async (uses) => {
        const answers = await gate.dispatchAll(uses);
        expect(answers.length).toBeLessThanOrEqual(uses.length);
        JSON.stringify(answers);
      }),
      { numRuns: 200 },
    );
    await gate.close();
  });
});
