import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Era } from "../../../../src/mcp/eras.ts";
import type { UpstreamChange } from "../../../../src/sources/upstream/talk/connection.ts";
import { serveHttp } from "../../safe/net/safe-fetch-servers.ts";
import { because } from "../stopped.ts";
import { type Answer, events, json, overHttp, result, scriptedHttp, textResult } from "./scripted-http.ts";
import { call, told, why } from "./scripted-upstream.ts";

const methodsOf = (server: {
  readonly seen: readonly { readonly message: { readonly method?: string } }[];
}) => server.seen.map(({ message }) => message.method).filter((method) => method !== undefined);
/** Answers calls of one tool, and leaves all others to the usual server. */
const onCall =
  (name: string, answer: (id: number | undefined, response: ServerResponse) => unknown): Answer =>
  ({ message: { id, params } }, response) => {
    if (params?.name !== name) return undefined;
    answer(id, response);
    return true;
  };

describe("an upstream over HTTP, modern", () => {
  it("is asked with the headers that repeat the body, and with those of the configuration", async () => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url, { headers: { "X-Api-Key": "key-of-the-user" } });
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
    await upstream.readResource("note://ä");
    const calls = server.seen.filter(({ message }) => message.method !== "subscriptions/listen");
    expect(calls.map(({ headers }) => [headers["mcp-method"], headers["mcp-name"]])).toEqual([
      ["server/discover", undefined],
      ["tools/call", "echo"],
      ["resources/read", `=?base64?${Buffer.from("note://ä").toString("base64")}?=`],
    ]);
    const accept = "application/json, text/event-stream";
    const always = { "mcp-protocol-version": "2026-07-28", "x-api-key": "key-of-the-user", accept };
    for (const { headers } of calls) expect(headers).toMatchObject(always);
    expect(upstream.health()).toMatchObject({ state: "ready", era: "modern", serverInfo: { name: "http" } });
  });

  it("sends arguments as headers where the schema wants it, also when the list was not read before", async () => {
    const properties = { region: { type: "string", "x-mcp-header": "Region" } };
    const tools = [{ name: "echo", inputSchema: { type: "object", properties } }];
    const server = await scriptedHttp("modern", ({ headers, message: { id, method } }, response) => {
      if (method === "tools/list") return json(response, 200, result(id, { tools }));
      if (method !== "tools/call" || headers["mcp-param-region"] === "eu 1") return undefined;
      return json(response, 400, { jsonrpc: "2.0", id, error: { code: -32020, message: "Header mismatch" } });
    });
    const upstream = overHttp(server.url);
    for (const input of [{ region: "eu 1" }, { region: "eu 1" }])
      expect(await told(upstream, "echo", input)).toEqual(input);
    expect(methodsOf(server).filter((method) => method === "tools/list")).toHaveLength(1);
  });

  it("cancels by closing the stream of that call", async () => {
    let closed = 0;
    const hang = onCall("hang", (_id, response) => {
      events(response);
      response.on("close", () => closed++);
    });
    const server = await scriptedHttp("modern", hang);
    const upstream = overHttp(server.url);
    const ending = new AbortController();
    const hanging = why(upstream, "hang", {}, { signal: ending.signal });
    await expect.poll(() => server.seen.length).toBeGreaterThan(1);
    ending.abort();
    expect(await hanging).toMatch(/^aborted /);
    expect(await why(upstream, "hang", {}, { timeoutMs: 50 })).toMatch(/^timed_out /);
    await expect.poll(() => closed).toBe(2);
    expect(methodsOf(server)).not.toContain("notifications/cancelled");
  });

  it("gives answers to its questions with the next request", async () => {
    const params = { message: "?", requestedSchema: { type: "object" } };
    const inputRequests = { q: { method: "elicitation/create", params } };
    const server = await scriptedHttp("modern", ({ message: { id, params: given } }, response) => {
      if (given?.name !== "ask") return undefined;
      const { inputResponses, requestState } = given;
      if (inputResponses === undefined)
        return json(
          response,
          200,
          result(id, { resultType: "input_required", inputRequests, requestState: "s" }),
        );
      return json(response, 200, result(id, textResult(JSON.stringify([inputResponses, requestState]))));
    });
    const q = { action: "accept", content: { yes: true } } as const;
    expect(await told(overHttp(server.url), "ask", {}, { elicit: async () => q })).toEqual([{ q }, "s"]);
  });

  it("is told of changes over a stream that it keeps open", async () => {
    let say: ((message: unknown) => void) | undefined;
    const server = await scriptedHttp("modern", ({ message: { method } }, response) => {
      if (method !== "subscriptions/listen") return undefined;
      say = events(response);
      return true;
    });
    const upstream = overHttp(server.url);
    const changes: UpstreamChange[] = [];
    await upstream.start();
    upstream.onChange((change) => changes.push(change));
    await expect.poll(() => say).toBeDefined();
    say?.({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} });
    await expect.poll(() => changes).toEqual([{ what: "tools" }]);
  });
});

describe("an upstream over HTTP, legacy", () => {
  it("is found out by asking the modern way first, remembered, and its session is ended at the close", async () => {
    const eras = new Map<string, Era>();
    const server = await scriptedHttp("legacy");
    const upstream = overHttp(server.url, {}, {}, { eras });
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
    const first = ["server/discover", "initialize", "notifications/initialized", "tools/call"];
    expect(methodsOf(server)).toEqual(first);
    expect(upstream.health()).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
    expect(server.sessions.size).toBe(1);
    await upstream.close();
    expect(server.sessions.size).toBe(0);
    server.seen.length = 0;
    await overHttp(server.url, {}, {}, { eras }).start();
    expect(methodsOf(server)).not.toContain("server/discover");
    server.seen.length = 0;
    await overHttp(server.url, { headers: { authorization: "Bearer other" } }, {}, { eras }).start();
    expect(methodsOf(server)).toContain("server/discover");
  });

  it("begins a new session when the server has forgotten the old one, and loses no call", async () => {
    const server = await scriptedHttp("legacy");
    const upstream = overHttp(server.url);
    await call(upstream, "echo");
    server.sessions.clear();
    const inputs = [1, 2, 3].map((at) => ({ at }));
    expect(await Promise.all(inputs.map((input) => told(upstream, "echo", input)))).toEqual(inputs);
    expect(server.sessions.size).toBe(1);
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
  });

  it("does not take what one caller's request was refused with for a failure of the server", async () => {
    const server = await scriptedHttp("legacy", ({ message: { params } }, response) => {
      const { text } = (params?.arguments ?? {}) as { readonly text?: string };
      if (text === undefined) return undefined;
      response.writeHead(text.length > 50 ? 431 : 400, { "content-type": "text/plain" });
      return response.end(`I do not like ${text}`);
    });
    const upstream = overHttp(server.url);
    await call(upstream, "echo");
    for (const text of ["x".repeat(100), "this session"])
      for (let times = 0; times < 10; times++)
        expect(await why(upstream, "echo", { text })).toMatch(/HTTP 4(?:31|00)/);
    expect(await told(upstream, "echo", { at: 1 })).toEqual({ at: 1 });
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 0 });
    expect(server.sessions.size).toBe(1);
  });

  it("answers in events: progress, a question that belongs to this very call, then the result", async () => {
    const answered = Promise.withResolvers<unknown>();
    const server = await scriptedHttp("legacy", ({ message }, response) => {
      const { id, params } = message;
      if (params?.name === "slow") {
        void answered.promise.then(() => json(response, 200, result(id, textResult("slow"))));
        return true;
      }
      if (message.result !== undefined) answered.resolve(message.result);
      if (params?.name !== "ask") return undefined;
      const say = events(response);
      const { progressToken } = params._meta as { progressToken: number };
      say({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } });
      const question = { message: "?", requestedSchema: { type: "object", properties: {} } };
      say({ jsonrpc: "2.0", id: "q1", method: "elicitation/create", params: question });
      void answered.promise.then((answer) => {
        say(result(id, textResult(JSON.stringify(answer))));
        response.end();
      });
      return true;
    });
    const upstream = overHttp(server.url);
    await upstream.start();
    const progress: number[] = [];
    const given = { action: "accept", content: { a: 1 } } as const;
    const onProgress = (step: { readonly progress: number }) => progress.push(step.progress);
    const asking = told(upstream, "ask", {}, { onProgress, elicit: async () => given });
    const [, answer] = await Promise.all([call(upstream, "slow"), asking]);
    expect(answer).toEqual(given);
    expect(progress).toEqual([1]);
  });

  it("goes on with a stream that broke off, where the server lets it", async () => {
    let open: number | undefined;
    const server = await scriptedHttp("legacy", ({ verb, headers, message: { id, params } }, response) => {
      if (params?.name === "poll") {
        open = id;
        response.writeHead(200, { "content-type": "text/event-stream" });
        return response.end("id: 1\nretry: 10\ndata: \n\n");
      }
      if (verb !== "GET" || headers["last-event-id"] !== "1") return undefined;
      events(response)(result(open, textResult("continued")), "2");
      return response.end();
    });
    expect(await call(overHttp(server.url), "poll")).toBe("continued");
  });

  it("hears what the server says by itself", async () => {
    const params = { uri: "note://a" };
    const server = await scriptedHttp("legacy", ({ verb }, response) => {
      if (verb !== "GET") return undefined;
      events(response)({ jsonrpc: "2.0", method: "notifications/resources/updated", params });
      return true;
    });
    const upstream = overHttp(server.url);
    const changes: UpstreamChange[] = [];
    upstream.onChange((change) => changes.push(change));
    await upstream.start();
    await expect.poll(() => changes).toContainEqual({ what: "resource-updated", uri: "note://a" });
  });
});

describe("an upstream over HTTP that misbehaves", () => {
  const answers: readonly [string, (response: ServerResponse) => unknown, RegExp][] = [
    ["500 with words", (to) => json(to, 500, { oops: "down for repair" }), /HTTP 500.*down for repair/],
    ["401", (to) => json(to, 401, {}), /HTTP 401.*oauth settings/],
    ["no JSON", (to) => to.end("<html>"), /HTTP 200: <html>/],
  ];
  it.for(answers)("answers %s: the call says so", async ([, answer, message]) => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url);
    await upstream.start();
    server.answer = onCall("echo", (_id, response) => answer(response));
    await expect(call(upstream, "echo")).rejects.toMatchObject(because("unavailable", message));
  });

  it("sends more than a message may hold: only that call fails", async () => {
    const server = await scriptedHttp("modern", ({ message: { id, params } }, response) => {
      const huge = result(id, textResult("x".repeat(200_000)));
      if (params?.name === "huge") return json(response, 200, huge);
      if (params?.name !== "events") return undefined;
      events(response)(huge);
      return true;
    });
    const upstream = overHttp(server.url, {}, { maxMessageBytes: 100_000 });
    for (const tool of ["huge", "events"])
      expect(await why(upstream, tool)).toMatch(/^bad_answer .*more than 100000 bytes/s);
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
  });

  it("ends an answer without a result: the call fails at once", async () => {
    const server = await scriptedHttp(
      "modern",
      onCall("nothing", (_id, response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n"),
      ),
    );
    expect(await why(overHttp(server.url), "nothing")).toMatch(/^bad_answer .*without a result/s);
  });

  it("cannot be reached: calls say so, then are refused at once, and work again when it is back", async () => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url);
    await call(upstream, "echo");
    await server.close();
    for (let tries = 0; upstream.health().state !== "open-circuit"; tries++) {
      expect(tries).toBeLessThan(10);
      expect(await why(upstream, "echo")).toMatch(/^unavailable /);
    }
    expect(await why(upstream, "echo")).toContain("tried again in");
    await scriptedHttp("modern", undefined, Number(new URL(server.url).port));
    await upstream.restart();
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
  });

  it("redirects: to itself it is followed, to anybody else it is not, and no credential goes there", async () => {
    const thief = await serveHttp((_request, response) => response.end());
    onTestFinished(() => thief.close());
    const server = await scriptedHttp("modern", ({ url }, response) =>
      url === "/mcp" ? response.writeHead(307, { location: "/mcp/" }).end() : undefined,
    );
    const secret = { headers: { authorization: "Bearer secret-of-the-user" } };
    expect(await told(overHttp(server.url, secret), "echo", { a: 1 })).toEqual({ a: 1 });
    const location = `http://127.0.0.1:${thief.port}/mcp`;
    server.answer = (_seen, response) => response.writeHead(307, { location }).end();
    expect(await why(overHttp(server.url, secret), "echo")).toMatch(/^unavailable .*which is not followed/s);
    expect(thief.connections()).toBe(0);
  });
});

describe("OAuth client credentials", () => {
  const oauthOf = (url: string, more: object = {}) => ({
    oauth: {
      tokenUrl: url.replace("/mcp", "/token"),
      clientId: "me",
      clientSecret: "secret-secret",
      ...more,
    },
  });

  it("fetches one token for all calls, and a new one when the server no longer takes it", async () => {
    let issued = 0;
    let valid = 1;
    const server = await scriptedHttp("modern", ({ url, headers, message }, response) => {
      if (url === "/token")
        return json(response, 200, {
          access_token: `token-${++issued}`,
          token_type: "Bearer",
          expires_in: 3600,
        });
      if (headers.authorization === `Bearer token-${valid}` || message.method === undefined) return undefined;
      return json(response, 401, {});
    });
    const upstream = overHttp(
      server.url,
      oauthOf(server.url, { clientSecret: "s e c r e t", scope: "tools" }),
    );
    expect(await Promise.all([1, 2, 3].map((at) => call(upstream, "echo", { at })))).toHaveLength(3);
    expect(issued).toBe(1);
    const credentials = Buffer.from(`me:${encodeURIComponent("s e c r e t")}`).toString("base64");
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${credentials}`);
    valid = 2;
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
    expect(issued).toBe(2);
  });

  it("says where no token was given, without the secret", async () => {
    const refusal = { error: "invalid_client", error_description: "secret-secret" };
    const server = await scriptedHttp("modern", ({ url }, response) =>
      url === "/token" ? json(response, 401, refusal) : undefined,
    );
    const error = await why(overHttp(server.url, oauthOf(server.url)), "echo");
    expect(error).toMatch(/gave no access token: HTTP 401: invalid_client/);
    expect(error).not.toContain("secret-secret");
  });

  it("never sends the secret over a line that others can read", async () => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url, oauthOf("http://tokens.example/token"));
    expect(await why(upstream, "echo")).toContain("token_url must begin with https://");
  });
});
