import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import { ann, closeAll, closeLater, world } from "./chat-world.ts";
import { events, eventText, piece, type RawReply, rawEndpoint, status } from "./raw-endpoint.ts";

afterEach(closeAll);

async function endpoint(...replies: RawReply[]) {
  const made = await rawEndpoint(replies);
  closeLater(() => made.close());
  return made;
}

const done = events(piece({ content: "done" }, "stop"), "[DONE]");
const toolMessages = (body: { messages: { role: string; tool_call_id: string; content: string }[] }) =>
  body.messages
    .filter(({ role }) => role === "tool")
    .map(({ tool_call_id, content }) => [tool_call_id, content]);

describe("a chat takes what compatible endpoints send:", () => {
  it.each<[string, RawReply]>([
    [
      "lines that end with CRLF",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
        response.end(
          eventText([piece({ content: "he" }), piece({ content: "llo" }, "stop"), "[DONE]"], "\r\n"),
        );
      },
    ],
    ["no [DONE] behind the reason to stop", events(piece({ content: "hello" }), piece({}, "stop"))],
    ["no reason to stop before [DONE]", events(piece({ content: "hello" }), "[DONE]")],
    [
      "null and empty content, comments, and events that nobody knows",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": keep-alive\n\nevent: whatever\ndata: {}\n\n");
        response.end(
          eventText([
            piece({ role: "assistant", content: null }),
            { choices: [] },
            "no json",
            piece({ content: "" }),
            piece({ content: "hello" }, "stop"),
            "[DONE]",
          ]),
        );
      },
    ],
    ["content in parts", events(piece({ content: [{ type: "text", text: "hello" }] }, "stop"), "[DONE]")],
    [
      "a whole message, because it does not stream",
      status(200, {
        choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
      }),
    ],
    [
      "events under another content type",
      (response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.end(eventText([piece({ content: "hello" }, "stop"), "[DONE]"]));
      },
    ],
    [
      "a last event without an empty line behind it",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify(piece({ content: "hello" }, "stop"))}`);
      },
    ],
    [
      "characters that are cut in two by the network",
      async (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const byte of Buffer.from(eventText([piece({ content: "hello" }, "stop"), "[DONE]"]))) {
          response.write(Buffer.from([byte]));
          await sleep(0);
        }
        response.end();
      },
    ],
    [
      "a connection that stays open behind [DONE]",
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(eventText([piece({ content: "hello" }, "stop"), "[DONE]"]));
      },
    ],
  ])("%s", async (_, reply) => {
    const { url } = await endpoint(reply);
    const { run } = await world(url, { api: "openai", retries: 0 });
    const { text, error } = await run("hi");
    expect(error).toBeUndefined();
    expect(text).toBe("hello");
  });

  it("whole messages of Anthropic's API, with calls", async () => {
    const call = { type: "tool_use", id: "t1", name: "math_add", input: { a: 2, b: 3 } };
    const { url, requests } = await endpoint(
      status(200, {
        type: "message",
        content: [{ type: "text", text: "I add" }, call],
        stop_reason: "tool_use",
      }),
      status(200, { type: "message", content: [{ type: "text", text: "five" }], stop_reason: "end_turn" }),
    );
    const { run } = await world(url, { api: "anthropic" });
    const { text, stopReason } = await run("add");
    expect([text, stopReason]).toEqual(["five", "end_turn"]);
    expect(requests[0]?.path).toBe("/v1/messages");
    expect(requests[1]?.body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "add" }] },
      { role: "assistant", content: [{ type: "text", text: "I add" }, call] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "5" }] }],
      },
    ]);
  });

  it("calls in pieces that are told apart by their index", async () => {
    const { url, requests } = await endpoint(
      events(
        piece({ tool_calls: [{ index: 0, id: "x", function: { name: "math_add", arguments: "" } }] }),
        piece({ tool_calls: [{ index: 1, id: "y", function: { name: "math_add", arguments: '{"a":' } }] }),
        piece({ tool_calls: [{ index: 0, function: { arguments: '{"a":1,"b":1}' } }] }),
        piece({ tool_calls: [{ index: 1, function: { arguments: '2,"b":2}' } }] }, "tool_calls"),
        "[DONE]",
      ),
      done,
    );
    const { run } = await world(url, { api: "openai" });
    await run("add");
    expect(toolMessages(requests[1]?.body)).toEqual([
      ["x", "2"],
      ["y", "4"],
    ]);
  });

  it("calls that all have the index 0, no ids, or the same id in every message", async () => {
    const call = (a: number, more: object) => ({
      ...more,
      function: { name: "math_add", arguments: { a, b: 1 } },
    });
    const { url, requests } = await endpoint(
      events(
        piece({ tool_calls: [call(1, { index: 0, id: "p" })] }),
        piece({ tool_calls: [call(2, { index: 0, id: "q" })] }, "tool_calls"),
      ),
      events(piece({ tool_calls: [call(3, {}), call(4, {})] }, "tool_calls")),
      events(piece({ tool_calls: [call(5, { index: 0, id: "p" })] }, "tool_calls")),
      done,
    );
    const { run } = await world(url, { api: "openai" });
    const { text } = await run("add");
    expect(text).toBe("done");
    const told = toolMessages(requests[3]?.body);
    expect(told.map(([, sum]) => sum)).toEqual(["2", "3", "4", "5", "6"]);
    expect(new Set(told.map(([id]) => id)).size).toBe(5);
  });

  it("no usage: what was used is estimated, so that budgets hold", async () => {
    const { url } = await endpoint(done);
    const { run } = await world(url, { api: "openai" });
    const { events: heard } = await run("hi");
    const usage = heard.find(({ event }) => event === "usage")?.data;
    expect(usage?.inputTokens).toBeGreaterThan(10);
    expect(usage?.outputTokens).toBe(1);
  });

  it("thinking, which goes back as it came", async () => {
    const start = (index: number, content_block: object) => ({
      type: "content_block_start",
      index,
      content_block,
    });
    const delta = (index: number, one: object) => ({ type: "content_block_delta", index, delta: one });
    const { url, requests } = await endpoint(
      events(
        { type: "message_start", message: { usage: { input_tokens: 3, cache_read_input_tokens: 4 } } },
        start(0, { type: "thinking", thinking: "" }),
        delta(0, { type: "thinking_delta", thinking: "hm" }),
        delta(0, { type: "signature_delta", signature: "sig" }),
        start(1, { type: "tool_use", id: "t1", name: "math_add", input: {} }),
        delta(1, { type: "input_json_delta", partial_json: '{"a":1,"b":1}' }),
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
        { type: "message_stop" },
      ),
      status(200, { type: "message", content: [{ type: "text", text: "2" }], stop_reason: "end_turn" }),
    );
    const { run } = await world(url, { api: "anthropic" });
    const { events: heard } = await run("add");
    expect(requests[1]?.body.messages[1].content[0]).toEqual({
      type: "thinking",
      thinking: "hm",
      signature: "sig",
    });
    expect(heard.find(({ event }) => event === "usage")?.data).toMatchObject({
      inputTokens: 7,
      outputTokens: 9,
    });
  });

  it("ten thousand deltas: all text arrives, in few events", async () => {
    const count = 10_000;
    const { url } = await endpoint(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let n = 0; n < count; n++) {
        response.write(eventText([piece({ content: `${n} ` })]));
        if (n % 500 === 0) await sleep(10);
      }
      response.end(eventText([piece({}, "stop"), "[DONE]"]));
    });
    const { run } = await world(url, { api: "openai" });
    const { text, events: heard } = await run("count");
    const all = Array.from({ length: count }, (_, n) => `${n} `).join("");
    expect(text).toBe(all);
    const deltas = heard.filter(({ event }) => event === "message-delta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.length).toBeLessThan(200);
    let at = 0;
    for (const { data } of deltas) {
      expect(data.offset).toBe(at);
      at += String(data.text).length;
      expect(all.startsWith(String(data.text), Number(data.offset))).toBe(true);
    }
  });

  it("never looks for calls in text", async () => {
    const said = '<tool_call>{"name": "math_add", "arguments": {"a": 1, "b": 2}}</tool_call>';
    const { url, requests } = await endpoint(events(piece({ content: said }, "stop"), "[DONE]"));
    const { run, gate } = await world(url, { api: "openai" });
    const called: string[] = [];
    gate.events.on("call-start", ({ tool }) => called.push(tool));
    expect((await run("add")).text).toBe(said);
    expect(called).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});

describe("a tool that wants to see its input early", () => {
  it("is shown it while the model writes, and whole at the end", async () => {
    const seen: [boolean, unknown][] = [];
    const draw = defineTool({
      id: "page.draw",
      description: "Draws.",
      permission: "read",
      input: { type: "object", properties: { text: { type: "string" } } },
      onPartial: ({ input, complete }) => void seen.push([complete, input]),
      run: () => "drawn",
    });
    const { url } = await endpoint(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const part = (text: string, more = {}) =>
        response.write(
          eventText([
            piece({ tool_calls: [{ index: 0, ...more, function: { name: "page_draw", arguments: text } }] }),
          ]),
        );
      part('{"text": "a', { id: "t1" });
      await sleep(150);
      part("bc");
      await sleep(150);
      part('"}');
      response.end(eventText([piece({}, "tool_calls"), "[DONE]"]));
    }, done);
    const { run } = await world(url, { api: "openai" }, { tools: [draw] });
    await run("draw");
    // How many pieces in between are shown depends on the time.
    expect(seen.slice(0, 2)).toEqual([
      [false, { text: "a" }],
      [false, { text: "abc" }],
    ]);
    expect(seen.filter(([isComplete]) => isComplete)).toEqual([[true, { text: "abc" }]]);
    expect(seen.at(-1)?.[0]).toBe(true);
  });
});

describe("cancelling while the model writes", () => {
  it("ends the request at once", async () => {
    const made = await endpoint((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(eventText([piece({ content: "I begin" })]));
    });
    const { sessions } = await world(made.url, { api: "openai" });
    const started = await sessions.start({ prompt: "go", runner: "chat" }, ann);
    if (!started.ok) throw new Error(started.message);
    await expect.poll(() => made.requests.length).toBe(1);
    const before = performance.now();
    await sessions.cancel(started.session.id, "ann");
    expect(performance.now() - before).toBeLessThan(1_000);
    await expect.poll(() => made.left).toEqual([0]);
    expect(await sessions.get(started.session.id)).toMatchObject({ state: "ended", end: "cancelled" });
  });
});
