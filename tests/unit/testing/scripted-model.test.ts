import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  createScriptedModel,
  type ModelRequest,
  type ScriptedModel,
  type ScriptedTurn,
} from "../../../src/testing/index.ts";
import { inTurn, post as postTo, readEvents, start } from "./scripted-model/asking.ts";

const post = (model: ScriptedModel, body: unknown, path = "/v1/messages") => postTo(model, path, body);
const hello = { role: "user", content: "hello" };
const turn = (messages: unknown[] = [hello], more = {}) => ({
  model: "m-1",
  max_tokens: 100,
  messages,
  ...more,
});

interface Message {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly input?: unknown }[];
  readonly stop_reason: string;
}
const said = async (model: ScriptedModel, body: unknown = turn()) =>
  (await (await post(model, body)).json()) as Message;
const textOf = async (model: ScriptedModel, body?: unknown) =>
  (await said(model, body)).content.map(({ text }) => text).join("");

describe("a scripted model", () => {
  it("answers text and calls in the order of the script", async () => {
    const model = await start({
      script: [
        { tool: "Bash", input: { command: "ls" }, id: "toolu_1" },
        { text: "Both.", calls: [{ tool: "Read", input: { file_path: "/a" } }, { tool: "Glob" }] },
        "Done.",
      ],
    });
    expect(await said(model)).toMatchObject({
      type: "message",
      role: "assistant",
      model: "m-1",
      content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }],
      stop_reason: "tool_use",
    });
    expect((await said(model)).content).toEqual([
      { type: "text", text: "Both." },
      { type: "tool_use", id: "toolu_scripted_1", name: "Read", input: { file_path: "/a" } },
      { type: "tool_use", id: "toolu_scripted_2", name: "Glob", input: {} },
    ]);
    expect(await said(model)).toMatchObject({
      content: [{ type: "text", text: "Done." }],
      stop_reason: "end_turn",
    });
  });

  it("streams the same answer as events that add up to it", async () => {
    const input = { command: "echo 'ü — 🙂'", nested: { list: [1, 2, { deep: true }] } };
    const model = await start({ script: [{ text: "Let me look 🙂.", calls: [{ tool: "Bash", input }] }] });
    const events = await readEvents<StreamEvent>(await post(model, turn([hello], { stream: true })));
    expect(inTurn(events.map(({ type }) => type))).toEqual([
      "message_start",
      "ping",
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      "message_delta",
      "message_stop",
    ]);
    const joined = (block: number, key: "text" | "partial_json") => {
      const deltas = events.flatMap(({ index, delta }) => (delta && index === block ? [delta[key]] : []));
      expect(deltas.length).toBeGreaterThan(1);
      return deltas.join("");
    };
    expect(joined(0, "text")).toBe("Let me look 🙂.");
    expect(JSON.parse(joined(1, "partial_json"))).toEqual(input);
    expect(events.find(({ type }) => type === "message_delta")?.delta?.stop_reason).toBe("tool_use");
  });

  it("remembers what it was told, and hands out what was new", async () => {
    const model = await start({ script: [{ tool: "Bash", id: "toolu_1" }, "Done."] });
    const text = (words: string) => ({ type: "text", text: words });
    const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "x" } };
    const called = { role: "assistant", content: [use] };
    const result = { type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: [text("no")] };
    const before = [
      { role: "system", content: "old" },
      { role: "user", content: [text("one"), text("two")] },
    ];
    const after = [
      { role: "user", content: [result] },
      { role: "system", content: "added by a hook" },
    ];
    const tools = ["Bash", "Read"].map((name) => ({ name, input_schema: {} }));
    await post(model, turn(before));
    const more = { system: [text("You are careful.")], tools };
    await post(model, turn([...before, called, ...after], more), "/v1/messages?beta=true");

    const last = model.requests[1];
    expect(last).toMatchObject({
      index: 1,
      dialect: "anthropic-messages",
      path: "/v1/messages",
      model: "m-1",
      stream: false,
      system: "You are careful.",
      tools: ["Bash", "Read"],
      toolResults: [{ id: "toolu_1", text: "no", isError: true }],
      systemMessages: ["added by a hook"],
    });
    expect(last?.headers["x-api-key"]).toBe("dummy");
    expect(last?.messages.map(({ role, text }) => [role, text])).toEqual([
      ["system", "old"],
      ["user", "one\ntwo"],
      ["assistant", ""],
      ["user", ""],
      ["system", "added by a hook"],
    ]);
    expect(last?.messages[2]?.toolCalls).toEqual([{ id: "toolu_1", tool: "Bash", input: { command: "x" } }]);
    expect(model.toolResults()).toEqual([{ id: "toolu_1", text: "no", isError: true }]);
    expect(model.systemMessages()).toEqual(["old", "added by a hook"]);
  });

  it("counts a result once when the client sends its request again", async () => {
    const model = await start({ script: [{ status: 529 }, "Done."] });
    const result = { type: "tool_result", tool_use_id: "t", content: "fine" };
    const told = turn([{ role: "user", content: [result] }]);
    expect((await post(model, told)).status).toBe(529);
    expect((await post(model, told)).status).toBe(200);
    expect(model.requests).toHaveLength(2);
    expect(model.toolResults()).toEqual([{ id: "t", text: "fine", isError: false }]);
  });

  it("answers an error of the script in the API's own form", async () => {
    const model = await start({ script: [{ status: 429, message: "slow down" }, { status: 418 }] });
    const first = await post(model, turn([hello], { stream: true }));
    const error = { type: "rate_limit_error", message: "slow down" };
    expect([first.status, await first.json()]).toEqual([429, { type: "error", error }]);
    const second = await post(model, turn());
    expect([second.status, await second.json()]).toMatchObject([418, { error: { type: "api_error" } }]);
  });

  it("says so when the script is over, and ends the conversation", async () => {
    const model = await start({ script: ["One."] });
    await post(model, turn());
    const text = "The script is over: it has 1 turn, and request 2 asked for one more.";
    expect(await said(model)).toMatchObject({ content: [{ type: "text", text }], stop_reason: "end_turn" });
  });

  it("asks a function of the request, for one turn or for all", async () => {
    const seen: ModelRequest[] = [];
    const look: ScriptedTurn = async (request) => {
      seen.push(request);
      return `heard ${request.messages.at(-1)?.text}`;
    };
    const listed = await start({ script: [look, "fixed"] });
    expect([await textOf(listed), await textOf(listed)]).toEqual(["heard hello", "fixed"]);
    const all = await start({ script: look });
    await post(all, turn());
    expect(await textOf(all, turn([{ role: "user", content: "again" }]))).toBe("heard again");
    expect(seen).toHaveLength(3);
  });

  it("keeps the place of each conversation apart, by a marker or by a function", async () => {
    const model = await start({
      script: ["main 1", "main 2"],
      conversations: [
        { when: "MARK-A", script: ["a 1", "a 2"] },
        { when: ({ tools }) => tools.includes("OnlyB"), script: ["b 1"] },
        { when: "reviewer", script: () => "system prompt" },
      ],
    });
    const a = turn([{ role: "user", content: "You are MARK-A." }]);
    const use = { type: "tool_use", id: "t", name: "Agent", input: { prompt: "You are MARK-A." } };
    const result = { type: "tool_result", tool_use_id: "t", content: "MARK-A did it" };
    const quoting = turn([hello, { role: "assistant", content: [use] }, { role: "user", content: [result] }]);
    const answers = [];
    const b = turn([hello], { tools: [{ name: "OnlyB" }] });
    for (const body of [turn(), a, b, quoting, a, turn([hello], { system: "You are a reviewer." })])
      answers.push(await textOf(model, body));
    expect(answers).toEqual(["main 1", "a 1", "b 1", "main 2", "a 2", "system prompt"]);
  });

  it("keeps what went wrong in the script, and answers 500", async () => {
    const broken = new Error("unexpected tool result");
    const fails: ScriptedTurn = () => {
      throw broken;
    };
    const model = await start({ script: [fails, { tool: "Bash", input: { number: 1n } }, "Done."] });
    const response = await post(model, turn());
    const told = expect.stringContaining("unexpected tool result");
    expect([response.status, await response.text()]).toEqual([500, told]);
    expect((await post(model, turn())).status).toBe(500);
    const tooBig = expect.objectContaining({ message: expect.stringContaining("BigInt") });
    expect(model.errors).toEqual([broken, tooBig]);
    expect(await textOf(model)).toBe("Done.");
  });

  it("answers what clients ask besides, without using up a turn", async () => {
    const model = await start({ script: ["Done."] });
    const counted = await post(model, turn(), "/v1/messages/count_tokens?beta=true");
    expect(((await counted.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(0);
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect(await (await fetch(`${model.url}/v1/models`)).json()).toMatchObject({ data: [] });
    expect((await fetch(`${model.url}/api/hello`)).status).toBe(404);
    const gets = ["HEAD /", "GET /v1/models", "GET /api/hello"];
    expect(model.asides).toEqual(["POST /v1/messages/count_tokens", ...gets]);
    expect(model.requests).toEqual([]);
    expect(await textOf(model)).toBe("Done.");
  });

  it("refuses what is no request, naming the reason, and keeps its place", async () => {
    const model = await start({ script: ["Done."], maxRequestBytes: 2_000 });
    for (const [body, status, message] of [
      ["{", 400, "The body is no JSON object."],
      ["[]", 400, "The body is no JSON object."],
      ["null", 400, "The body is no JSON object."],
      [{ messages: [] }, 400, "model: a name is needed."],
      [{ model: "m" }, 400, "messages: a list is needed."],
      [turn([{ role: "user", content: "x".repeat(3_000) }]), 413, "The request is larger than 2000 bytes."],
    ] as const) {
      const response = await post(model, body);
      expect([response.status, await response.json()]).toMatchObject([status, { error: { message } }]);
    }
    expect(await textOf(model)).toBe("Done.");
    expect(model.errors).toEqual([]);
  });

  it("closes for good: open answers end, the script is told, the port is free", async () => {
    const told = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const model = await createScriptedModel({
      script: (_request, { signal }) => {
        signal.addEventListener("abort", () => told.resolve());
        arrived.resolve();
        return new Promise<never>(() => {});
      },
    });
    const pending = post(model, turn());
    await arrived.promise;
    await Promise.all([model.close(), model.close()]);
    await expect(pending).rejects.toThrow();
    await told.promise;
    await expect(fetch(model.url)).rejects.toThrow();
  });

  it("tells the script when the client gives up, and is not disturbed", async () => {
    const told = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const model = await start({
      script: [
        (_request, { signal }) => {
          arrived.resolve();
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve("too late"));
            signal.addEventListener("abort", () => told.resolve());
          });
        },
        "Done.",
      ],
    });
    const giveUp = new AbortController();
    const request = { method: "POST", body: JSON.stringify(turn()), signal: giveUp.signal };
    const pending = fetch(`${model.url}/v1/messages`, request);
    await arrived.promise;
    giveUp.abort();
    await expect(pending).rejects.toThrow();
    await told.promise;

    const socket = connect(Number(new URL(model.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    socket.destroy();
    expect(await textOf(model)).toBe("Done.");
    expect(model.errors).toEqual([]);
  });

  it("takes only turns that mean something", () => {
    expectTypeOf<{ tool: string; input: { a: number } }>().toExtend<ScriptedTurn>();
    expectTypeOf<{ text: string }>().not.toExtend<ScriptedTurn>();
    expectTypeOf<number>().not.toExtend<ScriptedTurn>();
    expectTypeOf<ScriptedModel>().toExtend<AsyncDisposable>();
  });
});

interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: { readonly text?: string; readonly partial_json?: string; readonly stop_reason?: string };
}

describe("a scripted model of OpenAI", () => {
  const ask = (model: ScriptedModel, messages: unknown[], more: object = {}) =>
    post(model, { model: "m-1", messages, ...more }, "/v1/chat/completions");
  const called = (id: string, args: string) => ({
    id,
    type: "function",
    function: { name: "add", arguments: args },
  });

  it("answers text and calls, and remembers what it was told of them", async () => {
    const model = await start({
      script: [
        [
          { tool: "add", input: { a: 1 }, id: "call_1" },
          { tool: "add", input: '{"a":', id: "call_2" },
        ],
        "Done.",
      ],
    });
    const tools = [{ type: "function", function: { name: "add", parameters: {} } }];
    const system = { role: "system", content: "Be brief." };
    const first = await (await ask(model, [system, hello], { tools })).json();
    const calls = [called("call_1", '{"a":1}'), called("call_2", '{"a":')];
    const message = { role: "assistant", content: null, tool_calls: calls };
    expect(first).toMatchObject({
      object: "chat.completion",
      choices: [{ message, finish_reason: "tool_calls" }],
    });
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: `result of ${id}` }));
    const second = await (await ask(model, [system, hello, message, ...results])).json();
    expect(second).toMatchObject({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });
    expect(model.requests[0]).toMatchObject({ dialect: "openai-chat", system: "Be brief.", tools: ["add"] });
    expect(model.toolResults().map(({ id, text }) => [id, text])).toEqual([
      ["call_1", "result of call_1"],
      ["call_2", "result of call_2"],
    ]);
  });

  it("refuses a turn that leaves a call unanswered, as the real one does", async () => {
    const model = await start({ script: ["never"] });
    const tool_calls = [called("call_1", "{}")];
    const response = await ask(model, [hello, { role: "assistant", content: null, tool_calls }]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("call_1") } });
  });

  it("streams the same answer in chunks that add up to it", async () => {
    const input = { command: "echo 'ü — 🙂'" };
    const model = await start({ script: [{ text: "Let me look 🙂.", calls: [{ tool: "Bash", input }] }] });
    const text = await (await ask(model, [hello], { stream: true })).text();
    const lines = text.split("\n\n").filter((line) => line !== "");
    expect(lines.at(-1)).toBe("data: [DONE]");
    const deltas = lines.slice(0, -1).map((line) => {
      const { choices } = JSON.parse(line.slice("data: ".length)) as {
        choices: [{ delta: { content?: string; tool_calls?: { function: { arguments: string } }[] } }];
      };
      return choices[0].delta;
    });
    expect(deltas.map(({ content = "" }) => content).join("")).toBe("Let me look 🙂.");
    const written = deltas.flatMap(({ tool_calls = [] }) =>
      tool_calls.map((call) => call.function.arguments),
    );
    expect(written.length).toBeGreaterThan(2);
    expect(JSON.parse(written.join(""))).toEqual(input);
  });
});
