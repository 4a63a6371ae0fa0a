import { describe, expect, it } from "vitest";
import type { ScriptedModel } from "../../../../src/testing/index.ts";
import { inTurn, post, readEvents, start } from "./asking.ts";

const ask = (model: ScriptedModel, input: unknown, more: object = {}) =>
  post(model, "/v1/responses", { model: "m-1", input, ...more });
const json = async (response: Promise<Response>) => (await response).json();

const hello = { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] };
const tools = [
  { type: "function", name: "exec_command", parameters: {} },
  { type: "custom", name: "apply_patch", format: { type: "grammar" } },
  { type: "namespace", name: "mcp__store", tools: [{ type: "function", name: "look", parameters: {} }] },
  { type: "web_search" },
];
const command = { name: "exec_command", arguments: '{"cmd":"ls"}' };
const functionCall = { type: "function_call", call_id: "call_1", ...command };
const patch = { name: "apply_patch", input: "*** Begin Patch" };
const patchCall = { type: "custom_tool_call", call_id: "call_2", ...patch };
const output = { type: "function_call_output", call_id: "call_1", output: "listed" };
const patched = [{ type: "input_text", text: "patched" }];
const patchOutput = { type: "custom_tool_call_output", call_id: "call_2", output: patched };

describe("a scripted model of OpenAI's Responses", () => {
  it("knows the tools that a newer model is told of in the conversation", async () => {
    const model = await start([{ tool: "exec", input: "text(1)", id: "call_1" }]);
    const functions = { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] };
    const told = { type: "additional_tools", role: "developer", tools: [functions, tools[2]] };
    const answer = await json(ask(model, [told, hello]));
    expect(model.requests[0]?.tools).toEqual(["exec", "mcp__store.look"]);
    expect(answer).toMatchObject({
      output: [{ type: "custom_tool_call", call_id: "call_1", name: "exec", input: "text(1)" }],
    });
  });

  it("finds a conversation by any message before the first turn", async () => {
    const conversations = [{ when: "Look around.", script: ["I look."] }];
    const model = await start({ script: ["Main.", "Main."], conversations });
    const said = async (...input: unknown[]) => JSON.stringify(await json(ask(model, input)));
    const around = { ...hello, content: [{ type: "input_text", text: "Look around." }] };
    const turn = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes." }] };
    expect(await said(hello, around)).toContain("I look.");
    expect(await said(hello, turn, around)).toContain("Main.");
  });

  it("answers text, functions, custom tools and tools of a namespace, each in its own form", async () => {
    const model = await start([
      {
        text: "All of it.",
        calls: [
          { tool: "exec_command", input: { cmd: "ls" }, id: "call_1" },
          { tool: "apply_patch", input: "*** Begin Patch", id: "call_2" },
          { tool: "look", namespace: "mcp__store", input: { deep: true }, id: "call_3" },
          { tool: "exec_command", input: '{"cmd":', id: "call_4" },
        ],
      },
      "Done.",
    ]);
    const look = { name: "look", namespace: "mcp__store", arguments: '{"deep":true}' };
    expect(await json(ask(model, [hello], { tools }))).toMatchObject({
      object: "response",
      status: "completed",
      model: "m-1",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "All of it." }] },
        functionCall,
        patchCall,
        { type: "function_call", call_id: "call_3", ...look },
        { type: "function_call", call_id: "call_4", arguments: '{"cmd":' },
      ],
    });
    expect(await json(ask(model, "and a text alone"))).toMatchObject({
      output: [{ type: "message", content: [{ text: "Done." }] }],
    });
    expect(model.requests[0]).toMatchObject({
      dialect: "openai-responses",
      tools: ["exec_command", "apply_patch", "mcp__store.look"],
    });
    expect(model.requests[1]?.messages).toMatchObject([{ role: "user", text: "and a text alone" }]);
  });

  it("remembers what it was told, and hands out what was new", async () => {
    const model = await start(["Done."]);
    const developer = (text: string) => ({ role: "developer", content: [{ type: "input_text", text }] });
    const before = [developer("old"), hello, { type: "reasoning", summary: [] }];
    const turns = [functionCall, patchCall, output, patchOutput, developer("added by a hook")];
    await ask(model, [...before, ...turns], { instructions: "You are careful." });
    expect(model.requests[0]).toMatchObject({
      system: "You are careful.",
      toolResults: [
        { id: "call_1", text: "listed", isError: false },
        { id: "call_2", text: "patched", isError: false },
      ],
      systemMessages: ["added by a hook"],
    });
    expect(model.requests[0]?.messages.flatMap(({ toolCalls }) => toolCalls)).toEqual([
      { id: "call_1", tool: "exec_command", input: { cmd: "ls" } },
      { id: "call_2", tool: "apply_patch", input: "*** Begin Patch" },
    ]);
  });

  it("streams the same answer as events that add up to it", async () => {
    const input = { cmd: "echo 'ü — 🙂'" };
    const edit = "*** Begin Patch\n*** End Patch\n";
    const calls = [
      { tool: "exec_command", input },
      { tool: "apply_patch", input: edit },
    ];
    const script = [{ text: "Let me look 🙂.", calls }];
    const whole = (await json(ask(await start(script), [hello], { tools }))) as { output: unknown[] };
    const response = await ask(await start(script), [hello], { tools, stream: true });
    const events = await readEvents<StreamEvent>(response);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
    expect(inTurn(events.map(({ type }) => type))).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      ...["response.content_part.added", "response.output_text.delta", "response.output_text.done"],
      ...["response.content_part.done", "response.output_item.done", "response.output_item.added"],
      ...["response.function_call_arguments.delta", "response.function_call_arguments.done"],
      ...["response.output_item.done", "response.output_item.added"],
      ...["response.custom_tool_call_input.delta", "response.custom_tool_call_input.done"],
      "response.output_item.done",
      "response.completed",
    ]);
    const joined = (type: string) => {
      const deltas = events.filter((event) => event.type === type).map(({ delta }) => delta);
      expect(deltas.length).toBeGreaterThan(1);
      return deltas.join("");
    };
    expect(joined("response.output_text.delta")).toBe("Let me look 🙂.");
    expect(JSON.parse(joined("response.function_call_arguments.delta"))).toEqual(input);
    expect(joined("response.custom_tool_call_input.delta")).toBe(edit);
    const items = (what: string) =>
      events.filter(({ type }) => type === `response.output_item.${what}`).map(({ item }) => item);
    expect(items("done")).toEqual(whole.output);
    expect(events.at(-1)?.response).toMatchObject({ status: "completed", output: whole.output });
    expect(items("added")).toMatchObject([{ content: [] }, { arguments: "" }, { input: "" }]);
  });

  it.for<readonly [string, unknown, string]>([
    ["no list", 3, "input: a text or a list is needed."],
    ["a call without its output", [hello, functionCall], "No tool output found for function call call_1."],
    ["a custom call without its output", [patchCall], "No tool output found for custom tool call call_2."],
    [
      "an output of another kind",
      [functionCall, { ...output, type: "custom_tool_call_output" }],
      "No tool output found for function call call_1.",
    ],
    ["two outputs", [functionCall, output, output], "More than one tool output for function call call_1."],
    [
      "an output of no call",
      [hello, output],
      "No tool call found for function_call_output with call_id call_1.",
    ],
  ])("refuses %s, as the real one does", async ([, input, message]) => {
    const model = await start(["never"]);
    const response = await ask(model, input);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { message, type: "invalid_request_error", param: null, code: null } },
    ]);
    expect(model.requests).toEqual([]);
  });
});

interface StreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly delta?: string;
  readonly item?: unknown;
  readonly response?: unknown;
}
