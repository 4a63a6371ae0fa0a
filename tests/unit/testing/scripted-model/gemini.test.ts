import { describe, expect, it } from "vitest";
import type { ScriptedModel } from "../../../../src/testing/index.ts";
import { post, readEvents, start } from "./asking.ts";

const ask = (model: ScriptedModel, contents: unknown, more: object = {}, verb = "generateContent") =>
  post(model, `/v1beta/models/g-1:${verb}`, { contents, ...more });
const json = async (response: Promise<Response>) => (await response).json();

const hello = { role: "user", parts: [{ text: "hello" }] };
const call = (name: string, id?: string) => ({
  functionCall: { ...(id !== undefined && { id }), name, args: { a: 1 } },
});
const answer = (name: string, response: object, id?: string) => ({
  functionResponse: { ...(id !== undefined && { id }), name, response },
});

describe("a scripted model of Gemini", () => {
  it("answers text and calls", async () => {
    const model = await start([
      {
        text: "Both.",
        calls: [{ tool: "run_shell_command", input: { command: "ls" }, id: "call_1" }, { tool: "look" }],
      },
      "Done.",
    ]);
    const tools = [
      { functionDeclarations: [{ name: "run_shell_command" }, { name: "look" }] },
      { googleSearch: {} },
    ];
    const systemInstruction = { parts: [{ text: "Be brief." }] };
    const parts = [
      { text: "Both." },
      { functionCall: { id: "call_1", name: "run_shell_command", args: { command: "ls" } } },
      { functionCall: { name: "look", args: {} } },
    ];
    expect(await json(ask(model, [hello], { tools, systemInstruction }))).toMatchObject({
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
      modelVersion: "g-1",
    });
    expect(await json(ask(model, [hello]))).toMatchObject({
      candidates: [{ content: { parts: [{ text: "Done." }] }, finishReason: "STOP" }],
    });
    expect(model.requests[0]).toMatchObject({
      dialect: "gemini",
      model: "g-1",
      stream: false,
      system: "Be brief.",
      tools: ["run_shell_command", "look"],
    });
  });

  it("remembers what it was told of calls, by their ids or by their places", async () => {
    const model = await start(["Done."]);
    await ask(model, [
      hello,
      { role: "model", parts: [{ text: "thinking", thought: true }, call("one"), call("one", "call_x")] },
      {
        role: "user",
        parts: [
          answer("one", { output: "fine" }),
          answer("one", { error: "no" }, "call_x"),
          { text: "a hint" },
        ],
      },
    ]);
    const [request] = model.requests;
    expect(request?.toolResults).toEqual([
      { id: "call_1", text: "fine", isError: false },
      { id: "call_x", text: "no", isError: true },
    ]);
    expect(request?.messages.map(({ role, text }) => [role, text])).toEqual([
      ["user", "hello"],
      ["assistant", ""],
      ["user", "a hint"],
    ]);
    expect(request?.messages[1]?.toolCalls).toEqual([
      { id: "call_1", tool: "one", input: { a: 1 } },
      { id: "call_x", tool: "one", input: { a: 1 } },
    ]);
  });

  it("streams text in pieces and calls whole, and says at the end that it is the end", async () => {
    const input = { command: "echo 'ü — 🙂'" };
    const model = await start([
      { text: "Let me look 🙂.", calls: [{ tool: "run_shell_command", input }] },
      "",
    ]);
    const streamed = async (verb: string) => {
      const response = await ask(model, [hello], {}, verb);
      const chunks = await readEvents<{ candidates: [Candidate] }>(response, false);
      return chunks.map((chunk) => chunk.candidates[0]);
    };
    const candidates = await streamed("streamGenerateContent?alt=sse");
    const parts = candidates.flatMap(({ content }) => content.parts);
    const texts = parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join("")).toBe("Let me look 🙂.");
    expect(parts.at(-1)?.functionCall?.args).toEqual(input);
    expect(candidates.map(({ finishReason }) => finishReason)).toEqual([
      ...candidates.slice(1).map(() => undefined),
      "STOP",
    ]);
    expect(await streamed("streamGenerateContent")).toMatchObject([
      { content: { parts: [{ text: "" }] }, finishReason: "STOP" },
    ]);
    expect(model.requests[0]?.stream).toBe(true);
  });

  it("counts tokens without using up a turn", async () => {
    const model = await start(["Done."]);
    const counted = await json(ask(model, [hello], {}, "countTokens"));
    expect(counted).toEqual({ totalTokens: expect.any(Number) });
    expect(counted).not.toEqual({ totalTokens: 0 });
    expect((await ask(model, [hello], {}, "embedContent")).status).toBe(404);
    expect([model.requests, model.asides]).toEqual([
      [],
      ["POST /v1beta/models/g-1:countTokens", "POST /v1beta/models/g-1:embedContent"],
    ]);
  });

  const calls = (...names: string[]) => ({ role: "model", parts: names.map((name) => call(name)) });
  const answers = (name: string) => ({ role: "user", parts: [answer(name, {})] });
  it.for<readonly [string, unknown, string]>([
    ["nothing", [], "contents is not specified"],
    ["an unknown role", [{ role: "assistant", parts: [{ text: "x" }] }], "a valid role: user, model"],
    ["an empty content", [hello, { role: "user", parts: [] }], "contents[1].parts"],
    ["a call without its response", [hello, calls("one")], "equal to the number"],
    ["fewer responses than calls", [hello, calls("one", "two"), answers("one")], "equal to the number"],
    ["a response to another function", [hello, calls("one"), answers("two")], "no function call of two"],
    ["a response to nothing", [answers("one")], "immediately after"],
    ["a late response", [hello, hello, answers("one")], "equal to the number"],
  ])("refuses %s, as the real one does", async ([, contents, message]) => {
    const model = await start(["never"]);
    const response = await ask(model, contents);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: { code: 400, message: expect.stringContaining(message), status: "INVALID_ARGUMENT" } },
    ]);
    expect(model.requests).toEqual([]);
  });
});

interface Candidate {
  readonly content: { readonly parts: readonly { text?: string; functionCall?: { args: unknown } }[] };
  readonly finishReason?: string;
}
