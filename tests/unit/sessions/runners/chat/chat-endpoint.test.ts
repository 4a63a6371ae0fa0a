import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import { ann } from "../../sessions-world.ts";
import { apis, chatWorld } from "./chat-world.ts";

type RawReply = (response: ServerResponse) => void | Promise<void>;

interface RawRequest {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test wants to see of it
  readonly body: any;
}

/** A model endpoint on loopback, answered for byte by byte: one reply per request; the last one for all that follow. */
async function endpoint(...replies: RawReply[]) {
  const requests: RawRequest[] = [];
  /** Requests whose client went away before the answer ended. */
  const left: number[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const number = requests.push({ path: request.url ?? "", body: JSON.parse(text) }) - 1;
    response.on("close", () => {
      if (!response.writableEnded) left.push(number);
    });
    await (replies[number] ?? replies.at(-1))?.(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, requests, left, close: () => server.close() };
}

const eventText = (data: readonly (string | object)[], lineEnd = "\n") =>
  data
    .map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}${lineEnd}${lineEnd}`)
    .join("");

const stream = (response: ServerResponse, type = "text/event-stream") =>
  response.writeHead(200, { "content-type": type });

/** These bytes, as a stream of events, in one piece. */
const events =
  (...data: (string | object)[]): RawReply =>
  (response) =>
    void stream(response).end(eventText(data));

/** The connection ends after these events, without an end of the answer. */
const cutAfter =
  (...data: (string | object)[]): RawReply =>
  (response) =>
    void stream(response).write(eventText(data), () => setTimeout(() => response.destroy(), 20));

const status =
  (code: number, body: object | string, headers: Record<string, string> = {}): RawReply =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A piece of an answer of chat completions. */
const piece = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const calls = (...tool_calls: object[]) => piece({ tool_calls });
const hello = piece({ content: "hello" }, "stop");
const done = events(piece({ content: "done" }, "stop"), "[DONE]");
const whole = (stop_reason: string, ...content: object[]) =>
  status(200, { type: "message", content, stop_reason });
const text = (words: string) => ({ type: "text", text: words });

const toolMessages = (body: { messages: { role: string; tool_call_id: string; content: string }[] }) =>
  body.messages
    .filter(({ role }) => role === "tool")
    .map(({ tool_call_id, content }) => [tool_call_id, content]);

const answers = {
  openai: events(hello, "[DONE]"),
  anthropic: whole("end_turn", text("hello")),
};
const first = {
  openai: piece({ content: "I be" }),
  anthropic: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I be" } },
};
const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

/** One prompt to an endpoint that answers so. */
async function said(options: Parameters<typeof chatWorld>[1], ...replies: RawReply[]) {
  const made = await endpoint(...replies);
  const world = await chatWorld(made.url, options);
  return { ...made, ...world, ...(await world.run("hi")) };
}

const failed = (code: string, retryable: boolean, message: RegExp) => ({
  error: { code, retryable, message: expect.stringMatching(message) },
  text: undefined,
});
const wrong = (message: string) => status(400, { error: { message } });
const leadsTo = (code: number, location: string): RawReply => {
  return (response) => void response.writeHead(code, { location }).end();
};

describe.each(apis)("an endpoint with the API of %s", (api) => {
  const soon = { maxWaitMs: 20 };
  const later = status(429, { error: { message: "tomorrow" } }, { "retry-after": "86400" });
  const rows: [string, object, RawReply[], object, number][] = [
    [
      "is asked again after a 500 and a 529, and an error before the first word",
      { maxWaitMs: 50 },
      [status(500, "oops"), status(529, overloaded), events(overloaded), answers[api]],
      { text: "hello" },
      4,
    ],
    [
      "is asked again when the connection breaks before the first word",
      soon,
      [(response) => void response.destroy(), cutAfter({ type: "ping" }), answers[api]],
      { text: "hello" },
      3,
    ],
    [
      "has failed if it asks for more time than is given",
      {},
      [later],
      failed("model_overloaded", true, /HTTP 429: tomorrow/),
      1,
    ],
    [
      "is given up after so many tries",
      { retries: 2, ...soon },
      [status(503, { error: { message: "busy" } })],
      failed("model_overloaded", true, /busy/),
      3,
    ],
    [
      "is not asked again when the connection breaks in the middle of the answer, and the error says so",
      soon,
      [cutAfter(first[api]), answers[api]],
      failed("model_failed", true, /broke off in the middle of the model's answer, after 4 characters/),
      1,
    ],
    [
      "has broken off, too, where the stream ends in good order without an end of the answer",
      { retries: 0 },
      [events(first[api])],
      failed("model_failed", true, /broke off in the middle/),
      1,
    ],
    [
      "is not asked again after a request that it refuses",
      {},
      [wrong("prompt is too long")],
      failed("model_failed", false, /HTTP 400: prompt is too long/),
      1,
    ],
    [
      "is not followed to another path",
      {},
      [leadsTo(308, "/elsewhere")],
      failed("model_failed", false, /HTTP 308.*Redirects are not followed/),
      1,
    ],
    [
      "is given up when it sends nothing for too long",
      { silenceMs: 100 },
      [() => {}],
      failed("model_failed", true, /has sent nothing for 100 ?ms/),
      1,
    ],
    [
      "is told apart from a page that is no model",
      {},
      [(response) => void stream(response, "text/html").end("<html>Welcome</html>")],
      failed("model_failed", false, /no JSON. Check its base URL/),
      1,
    ],
  ];
  it.for(rows)("%s", async ([, options, replies, expected, count]) => {
    const { text, error, requests } = await said({ api, ...options }, ...replies);
    expect({ text, error }).toMatchObject(expected);
    expect(requests).toHaveLength(count);
  });

  it("is asked again after the time that it asks for", async () => {
    const wait = status(429, { error: { message: "slow down" } }, { "retry-after": "1" });
    const before = performance.now();
    const { text, requests } = await said({ api }, wait, answers[api]);
    expect(text).toBe("hello");
    expect(performance.now() - before).toBeGreaterThan(950);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toEqual(requests[1]?.body);
  });

  it("is not followed to another address", async () => {
    const other = await endpoint(answers[api]);
    const { error } = await said({ api }, leadsTo(307, `${other.url}/v1/messages`));
    expect(error?.message).toMatch(/HTTP 307.*Redirects are not followed/);
    expect(other.requests).toHaveLength(0);
  });
});

describe("an endpoint that does not take a field of ours", () => {
  it("is asked without it from then on", async () => {
    const { text, run, requests } = await said(
      { api: "openai", maxTokens: 99 },
      wrong("Unrecognized request argument supplied: stream_options"),
      wrong("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      answers.openai,
    );
    expect([text, (await run("hi")).text]).toEqual(["hello", "hello"]);
    expect(requests).toHaveLength(4);
    for (const { body } of requests.slice(2)) {
      expect(body).toMatchObject({ max_completion_tokens: 99 });
      expect(body).not.toHaveProperty("max_tokens");
      expect(body).not.toHaveProperty("stream_options");
    }
  });

  it("is not asked for ever", async () => {
    const { error, requests } = await said({ api: "openai" }, wrong("stream_options"));
    expect(error?.message).toMatch(/HTTP 400/);
    expect(requests).toHaveLength(2);
  });
});

describe("an endpoint that nobody serves", () => {
  it("is tried again, and then named in the error", async () => {
    const made = await endpoint();
    made.close();
    const { run } = await chatWorld(made.url, { api: "openai", retries: 1, maxWaitMs: 20 });
    const { error } = await run("hi");
    expect(error).toMatchObject({ code: "model_failed", retryable: true });
    expect(error?.message).toMatch(/cannot be reached: The connection failed \(ECONNREFUSED\)/);
  });
});

describe("a chat takes what compatible endpoints send:", () => {
  const unknown = ": keep-alive\n\nevent: whatever\ndata: {}\n\n";
  const odd = [
    piece({ role: "assistant", content: null }),
    { choices: [] },
    "no json",
    piece({ content: "" }),
  ];
  const unstreamed = { index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" };
  const inHalves = [piece({ content: "he" }), piece({ content: "llo" }, "stop"), "[DONE]"];
  const rows: [string, RawReply][] = [
    [
      "lines that end with CRLF",
      (response) =>
        void stream(response, "text/event-stream; charset=utf-8").end(eventText(inHalves, "\r\n")),
    ],
    ["no [DONE] behind the reason to stop", events(piece({ content: "hello" }), piece({}, "stop"))],
    ["no reason to stop before [DONE]", events(piece({ content: "hello" }), "[DONE]")],
    [
      "null and empty content, comments, and events that nobody knows",
      (response) => void stream(response).end(unknown + eventText([...odd, hello, "[DONE]"])),
    ],
    ["content in parts", events(piece({ content: [text("hello")] }, "stop"), "[DONE]")],
    ["a whole message, because it does not stream", status(200, { choices: [unstreamed] })],
    [
      "events under another content type",
      (response) => void stream(response, "text/plain").end(eventText([hello, "[DONE]"])),
    ],
    [
      "a last event without an empty line behind it",
      (response) => void stream(response).end(`data: ${JSON.stringify(hello)}`),
    ],
    [
      "characters that are cut in two by the network",
      async (response) => {
        stream(response);
        for (const byte of Buffer.from(eventText([hello, "[DONE]"]))) {
          response.write(Buffer.from([byte]));
          await sleep(0);
        }
        response.end();
      },
    ],
    [
      "a connection that stays open behind [DONE]",
      (response) => void stream(response).write(eventText([hello, "[DONE]"])),
    ],
  ];
  it.for(rows)("%s", async ([, reply]) => {
    const { text, error } = await said({ api: "openai", retries: 0 }, reply);
    expect({ text, error }).toEqual({ text: "hello", error: undefined });
  });

  it("whole messages of Anthropic's API, with calls", async () => {
    const call = { type: "tool_use", id: "t1", name: "math_add", input: { a: 2, b: 3 } };
    const {
      text: last,
      stopReason,
      requests,
    } = await said(
      { api: "anthropic" },
      whole("tool_use", text("I add"), call),
      whole("end_turn", text("five")),
    );
    expect([last, stopReason]).toEqual(["five", "end_turn"]);
    expect(requests[0]?.path).toBe("/v1/messages");
    expect(requests[1]?.body.messages).toEqual([
      { role: "user", content: [text("hi")] },
      { role: "assistant", content: [text("I add"), call] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [text("5")] }] },
    ]);
  });

  it("calls in pieces that are told apart by their index", async () => {
    const { requests } = await said(
      { api: "openai" },
      events(
        calls({ index: 0, id: "x", function: { name: "math_add", arguments: "" } }),
        calls({ index: 1, id: "y", function: { name: "math_add", arguments: '{"a":' } }),
        calls({ index: 0, function: { arguments: '{"a":1,"b":1}' } }),
        piece({ tool_calls: [{ index: 1, function: { arguments: '2,"b":2}' } }] }, "tool_calls"),
        "[DONE]",
      ),
      done,
    );
    const told = [
      ["x", "2"],
      ["y", "4"],
    ];
    expect(toolMessages(requests[1]?.body)).toEqual(told);
  });

  it("calls that all have the index 0, no ids, or the same id in every message", async () => {
    const call = (a: number, more: object) => ({
      ...more,
      function: { name: "math_add", arguments: { a, b: 1 } },
    });
    const { text, requests } = await said(
      { api: "openai" },
      events(
        calls(call(1, { index: 0, id: "p" })),
        piece({ tool_calls: [call(2, { index: 0, id: "q" })] }, "tool_calls"),
      ),
      events(piece({ tool_calls: [call(3, {}), call(4, {})] }, "tool_calls")),
      events(piece({ tool_calls: [call(5, { index: 0, id: "p" })] }, "tool_calls")),
      done,
    );
    expect(text).toBe("done");
    const told = toolMessages(requests[3]?.body);
    expect(told.map(([, sum]) => sum)).toEqual(["2", "3", "4", "5", "6"]);
    expect(new Set(told.map(([id]) => id)).size).toBe(5);
  });

  it("no usage: what was used is estimated, so that budgets hold", async () => {
    const { events: heard } = await said({ api: "openai" }, done);
    const usage = heard.find(({ event }) => event === "usage")?.data;
    expect(usage?.inputTokens).toBeGreaterThan(10);
    expect(usage?.outputTokens).toBe(1);
  });

  it("thinking, which goes back as it came", async () => {
    const start = (index: number, content_block: object) => ({
      ...{ type: "content_block_start", index, content_block },
    });
    const delta = (index: number, one: object) => ({ type: "content_block_delta", index, delta: one });
    const { events: heard, requests } = await said(
      { api: "anthropic" },
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
      whole("end_turn", text("2")),
    );
    const thinking = { type: "thinking", thinking: "hm", signature: "sig" };
    expect(requests[1]?.body.messages[1].content[0]).toEqual(thinking);
    const usage = heard.find(({ event }) => event === "usage")?.data;
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 9 });
  });

  it("ten thousand deltas: all text arrives, in few events", async () => {
    const words = Array.from({ length: 10_000 }, (_, n) => `${n} `);
    const { text, events: heard } = await said({ api: "openai" }, async (response) => {
      stream(response);
      for (const [n, content] of words.entries()) {
        response.write(eventText([piece({ content })]));
        if (n % 500 === 0) await sleep(10);
      }
      response.end(eventText([piece({}, "stop"), "[DONE]"]));
    });
    expect(text).toBe(words.join(""));
    const deltas = heard.filter(({ event }) => event === "message-delta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.length).toBeLessThan(200);
    let at = 0;
    for (const { data } of deltas) {
      expect(data.offset).toBe(at);
      at += String(data.text).length;
      expect(words.join("").startsWith(String(data.text), Number(data.offset))).toBe(true);
    }
  });

  it("never looks for calls in text", async () => {
    const content = '<tool_call>{"name": "math_add", "arguments": {"a": 1, "b": 2}}</tool_call>';
    const { url, requests } = await endpoint(events(piece({ content }, "stop"), "[DONE]"));
    const { run, gate } = await chatWorld(url, { api: "openai" });
    const called: string[] = [];
    gate.events.on("call-start", ({ tool }) => called.push(tool));
    expect((await run("add")).text).toBe(content);
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
      stream(response);
      const part = (written: string, more = {}) =>
        response.write(
          eventText([calls({ index: 0, ...more, function: { name: "page_draw", arguments: written } })]),
        );
      part('{"text": "a', { id: "t1" });
      await expect.poll(() => seen).toHaveLength(1);
      // Not more often than this is a tool shown what there is.
      await sleep(150);
      part("bc");
      await expect.poll(() => seen).toHaveLength(2);
      part('"}');
      response.end(eventText([piece({}, "tool_calls"), "[DONE]"]));
    }, done);
    const { run } = await chatWorld(url, { api: "openai" }, { tools: [draw] });
    await run("draw");
    const [first, second] = seen;
    expect([first, second]).toEqual([
      [false, { text: "a" }],
      [false, { text: "abc" }],
    ]);
    expect(seen.filter(([isComplete]) => isComplete)).toEqual([[true, { text: "abc" }]]);
    expect(seen.at(-1)?.[0]).toBe(true);
  });
});

describe("cancelling while the model writes", () => {
  it("ends the request at once", async () => {
    const { url, requests, left } = await endpoint(
      (response) => void stream(response).write(eventText([piece({ content: "I begin" })])),
    );
    const { sessions, start } = await chatWorld(url, { api: "openai" });
    const id = await start();
    await expect.poll(() => requests.length).toBe(1);
    await sessions.cancel(id, ann.id);
    await expect.poll(() => left).toEqual([0]);
    expect(await sessions.get(id)).toMatchObject({ state: "ended", end: "cancelled" });
  });
});
