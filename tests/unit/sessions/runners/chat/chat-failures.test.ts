import { afterEach, describe, expect, it } from "vitest";
import { closeAll, closeLater, world } from "./chat-world.ts";
import { cutAfter, events, piece, type RawReply, rawEndpoint, status } from "./raw-endpoint.ts";

afterEach(closeAll);

async function endpoint(...replies: RawReply[]) {
  const made = await rawEndpoint(replies);
  closeLater(() => made.close());
  return made;
}

const answers = {
  openai: events(piece({ content: "hello" }, "stop"), "[DONE]"),
  anthropic: status(200, {
    type: "message",
    content: [{ type: "text", text: "hello" }],
    stop_reason: "end_turn",
  }),
};
const first = {
  openai: piece({ content: "I be" }),
  anthropic: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I be" } },
};
const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

describe.each(["anthropic", "openai"] as const)("an endpoint with the API of %s", (api) => {
  it("is asked again after the time that it asks for", async () => {
    const { url, requests } = await endpoint(
      status(429, { error: { message: "slow down" } }, { "retry-after": "1" }),
      answers[api],
    );
    const { run } = await world(url, { api });
    const before = performance.now();
    expect((await run("hi")).text).toBe("hello");
    expect(performance.now() - before).toBeGreaterThan(950);
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toEqual(requests[1]?.body);
  });

  it("has failed if it asks for more time than is given", async () => {
    const { url, requests } = await endpoint(
      status(429, { error: { message: "tomorrow" } }, { "retry-after": "86400" }),
    );
    const { run } = await world(url, { api });
    const { error } = await run("hi");
    expect(error).toMatchObject({ code: "model_overloaded", retryable: true });
    expect(error?.message).toMatch(/HTTP 429: tomorrow/);
    expect(requests).toHaveLength(1);
  });

  it("is asked again after a 500 and a 529, and an error before the first word", async () => {
    const { url, requests } = await endpoint(
      status(500, "oops"),
      status(529, overloaded),
      events(overloaded),
      answers[api],
    );
    const { run } = await world(url, { api, maxWaitMs: 50 });
    expect((await run("hi")).text).toBe("hello");
    expect(requests).toHaveLength(4);
  });

  it("is given up after so many tries", async () => {
    const { url, requests } = await endpoint(status(503, { error: { message: "busy" } }));
    const { run } = await world(url, { api, retries: 2, maxWaitMs: 20 });
    const { error } = await run("hi");
    expect(error).toMatchObject({ code: "model_overloaded", retryable: true });
    expect(requests).toHaveLength(3);
  });

  it("is asked again when the connection breaks before the first word", async () => {
    const { url, requests } = await endpoint(
      (response) => void response.destroy(),
      cutAfter({ type: "ping" }),
      answers[api],
    );
    const { run } = await world(url, { api, maxWaitMs: 20 });
    expect((await run("hi")).text).toBe("hello");
    expect(requests).toHaveLength(3);
  });

  it("is not asked again when the connection breaks in the middle of the answer, and the error says so", async () => {
    const { url, requests } = await endpoint(cutAfter(first[api]), answers[api]);
    const { run } = await world(url, { api, maxWaitMs: 20 });
    const { error, text } = await run("hi");
    expect(error).toMatchObject({ code: "model_failed", retryable: true });
    expect(error?.message).toMatch(/broke off in the middle of the model's answer, after 4 characters/);
    expect(text).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it("has broken off, too, where the stream ends in good order without an end of the answer", async () => {
    const { url } = await endpoint(events(first[api]));
    const { run } = await world(url, { api, retries: 0 });
    expect((await run("hi")).error?.message).toMatch(/broke off in the middle/);
  });

  it("is not asked again after a request that it refuses", async () => {
    const { url, requests } = await endpoint(status(400, { error: { message: "prompt is too long" } }));
    const { run } = await world(url, { api });
    const { error } = await run("hi");
    expect(error).toMatchObject({ code: "model_failed", retryable: false });
    expect(error?.message).toMatch(/HTTP 400: prompt is too long/);
    expect(requests).toHaveLength(1);
  });

  it("is not followed to another address", async () => {
    const other = await endpoint(answers[api]);
    const { url } = await endpoint((response) => {
      response.writeHead(307, { location: `${other.url}/v1/messages` });
      response.end();
    });
    const same = await endpoint((response) => {
      response.writeHead(308, { location: "/elsewhere" });
      response.end();
    });
    for (const base of [url, same.url]) {
      const { run } = await world(base, { api });
      expect((await run("hi")).error?.message).toMatch(/HTTP 30[78].*Redirects are not followed/);
    }
    expect(other.requests).toHaveLength(0);
    expect(same.requests).toHaveLength(1);
  });

  it("is given up when it sends nothing for too long", async () => {
    const { url, requests } = await endpoint(() => {});
    const { run } = await world(url, { api, silenceMs: 100 });
    expect((await run("hi")).error?.message).toMatch(/has sent nothing for 100 ?ms/);
    expect(requests).toHaveLength(1);
  });

  it("is told apart from a page that is no model", async () => {
    const { url } = await endpoint((response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Welcome</html>");
    });
    const { run } = await world(url, { api });
    expect((await run("hi")).error?.message).toMatch(/no JSON. Check its base URL/);
  });
});

describe("an endpoint that does not take a field of ours", () => {
  it("is asked without it from then on", async () => {
    const wrong = (message: string) => status(400, { error: { message } });
    const { url, requests } = await endpoint(
      wrong("Unrecognized request argument supplied: stream_options"),
      wrong("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      answers.openai,
    );
    const { run } = await world(url, { api: "openai", maxTokens: 99 });
    expect((await run("hi")).text).toBe("hello");
    expect((await run("hi")).text).toBe("hello");
    expect(requests).toHaveLength(4);
    for (const { body } of requests.slice(2)) {
      expect(body).toMatchObject({ max_completion_tokens: 99 });
      expect(body).not.toHaveProperty("max_tokens");
      expect(body).not.toHaveProperty("stream_options");
    }
  });

  it("is not asked for ever", async () => {
    const { url, requests } = await endpoint(status(400, { error: { message: "stream_options" } }));
    const { run } = await world(url, { api: "openai" });
    expect((await run("hi")).error?.message).toMatch(/HTTP 400/);
    expect(requests).toHaveLength(2);
  });
});

describe("an endpoint that nobody serves", () => {
  it("is tried again, and then named in the error", async () => {
    const made = await rawEndpoint([]);
    await made.close();
    const { run } = await world(made.url, { api: "openai", retries: 1, maxWaitMs: 20 });
    const { error } = await run("hi");
    expect(error).toMatchObject({ code: "model_failed", retryable: true });
    expect(error?.message).toMatch(/cannot be reached: The connection failed \(ECONNREFUSED\)/);
  });
});
