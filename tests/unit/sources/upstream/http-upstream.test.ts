import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { Era } from "../../../../src/mcp/eras.ts";
import type { UpstreamChange } from "../../../../src/sources/upstream/talk/connection.ts";
import { words } from "../../../words.ts";
import { because } from "../stopped.ts";
import { events, json, overHttp, result, scriptedHttp, textResult } from "./scripted-http.ts";
import { call } from "./scripted-upstream.ts";

const methodsOf = (server: {
  readonly seen: readonly { readonly message: { readonly method?: string } }[];
}) => server.seen.map(({ message }) => message.method).filter((method) => method !== undefined);

describe("an upstream over HTTP, modern", () => {
  it("is asked with the headers that repeat the body, and with those of the configuration", async () => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url, { headers: { "X-Api-Key": "key-of-the-user" } });
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
    await upstream.readResource("note://ä");
    const calls = server.seen.filter(({ message }) => message.method !== "subscriptions/listen");
    expect(calls.map(({ headers }) => [headers["mcp-method"], headers["mcp-name"]])).toEqual([
      ["server/discover", undefined],
      ["tools/call", "echo"],
      ["resources/read", `=?base64?${Buffer.from("note://ä").toString("base64")}?=`],
    ]);
    for (const { headers } of calls)
      expect(headers).toMatchObject({
        "mcp-protocol-version": "2026-07-28",
        "x-api-key": "key-of-the-user",
        accept: "application/json, text/event-stream",
      });
    expect(upstream.health()).toMatchObject({ state: "ready", era: "modern", serverInfo: { name: "http" } });
  });

  it("sends arguments as headers where the schema wants it, also when the list was not read before", async () => {
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    const server = await scriptedHttp("modern", ({ headers, message: { id, method } }, response) => {
      if (method === "tools/list")
        return json(response, 200, result(id, { tools: [{ name: "echo", inputSchema }] }));
      if (method !== "tools/call" || headers["mcp-param-region"] === "eu 1") return undefined;
      return json(response, 400, { jsonrpc: "2.0", id, error: { code: -32020, message: "Header mismatch" } });
    });
    const upstream = overHttp(server.url);
    expect(await call(upstream, "echo", { region: "eu 1" })).toBe('{"region":"eu 1"}');
    expect(await call(upstream, "echo", { region: "eu 1" })).toBe('{"region":"eu 1"}');
    expect(methodsOf(server).filter((method) => method === "tools/list")).toHaveLength(1);
  });

  it("cancels by closing the stream of that call", async () => {
    let closed = 0;
    const server = await scriptedHttp("modern", ({ message }, response) => {
      if (message.params?.name !== "hang") return undefined;
      events(response);
      response.on("close", () => closed++);
      return true;
    });
    const upstream = overHttp(server.url);
    const ending = new AbortController();
    const hanging = call(upstream, "hang", {}, { signal: ending.signal });
    await expect.poll(() => server.seen.length).toBeGreaterThan(1);
    ending.abort();
    await expect(hanging).rejects.toMatchObject({ code: "aborted" });
    await expect(call(upstream, "hang", {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: "timed_out" });
    await expect.poll(() => closed).toBe(2);
    expect(methodsOf(server)).not.toContain("notifications/cancelled");
  });

  it("gives answers to its questions with the next request", async () => {
    const server = await scriptedHttp("modern", ({ message: { id, params } }, response) => {
      if (params?.name !== "ask") return undefined;
      if (params.inputResponses !== undefined)
        return json(
          response,
          200,
          result(id, textResult(JSON.stringify([params.inputResponses, params.requestState]))),
        );
      const question = {
        method: "elicitation/create",
        params: { message: "?", requestedSchema: { type: "object" } },
      };
      return json(
        response,
        200,
        result(id, { resultType: "input_required", inputRequests: { q: question }, requestState: "s" }),
      );
    });
    const elicit = async () => ({ action: "accept", content: { yes: true } }) as const;
    expect(JSON.parse(await call(overHttp(server.url), "ask", {}, { elicit }))).toEqual([
      { q: { action: "accept", content: { yes: true } } },
      "s",
    ]);
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
    const known = new Map<string, Era>();
    const eras = {
      get: (key: string) => known.get(key),
      set: (key: string, era: Era) => void known.set(key, era),
    };
    const server = await scriptedHttp("legacy");
    const upstream = overHttp(server.url, {}, {}, { eras });
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
    expect(methodsOf(server)).toEqual(
      words(`
      server/discover initialize notifications/initialized tools/call
    `),
    );
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
    const answers = await Promise.all([1, 2, 3].map((at) => call(upstream, "echo", { at })));
    expect(answers).toEqual(['{"at":1}', '{"at":2}', '{"at":3}']);
    expect(server.sessions.size).toBe(1);
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 1 });
  });

  it("does not take what one caller's request was refused with for a failure of the server", async () => {
    const server = await scriptedHttp("legacy", ({ message: { params } }, response) => {
      const { text } = (params?.arguments ?? {}) as { readonly text?: string };
      if (text === undefined) return undefined;
      response.writeHead(text.length > 50 ? 431 : 400, { "content-type": "text/plain" });
      response.end(`I do not like ${text}`);
      return true;
    });
    const upstream = overHttp(server.url);
    await call(upstream, "echo");
    for (const text of ["x".repeat(100), "this session"])
      for (let times = 0; times < 10; times++)
        await expect(call(upstream, "echo", { text })).rejects.toThrow(/HTTP 4(?:31|00)/);
    expect(await call(upstream, "echo", { at: 1 })).toBe('{"at":1}');
    expect(upstream.health()).toMatchObject({ state: "ready", restarts: 0 });
    expect(server.sessions.size).toBe(1);
  });

  it("answers in events: progress, a question that belongs to this very call, then the result", async () => {
    const server = await scriptedHttp("legacy", ({ message }, response) => {
      const { id, params } = message;
      if (params?.name === "slow") {
        setTimeout(() => json(response, 200, result(id, textResult("slow"))), 300);
        return true;
      }
      if (params?.name !== "ask") {
        if (message.result !== undefined) answered.resolve(message.result);
        return undefined;
      }
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
    const answered = Promise.withResolvers<unknown>();
    const upstream = overHttp(server.url);
    await upstream.start();
    const progress: number[] = [];
    const [, answer] = await Promise.all([
      call(upstream, "slow"),
      call(
        upstream,
        "ask",
        {},
        {
          onProgress: (step) => progress.push(step.progress),
          elicit: async () => ({ action: "accept", content: { a: 1 } }),
        },
      ),
    ]);
    expect(JSON.parse(answer)).toEqual({ action: "accept", content: { a: 1 } });
    expect(progress).toEqual([1]);
  });

  it("goes on with a stream that broke off, where the server lets it", async () => {
    const server = await scriptedHttp("legacy", ({ verb, headers, message: { id, params } }, response) => {
      if (params?.name === "poll") {
        open = id;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end("id: 1\nretry: 10\ndata: \n\n");
        return true;
      }
      if (verb !== "GET" || headers["last-event-id"] !== "1") return undefined;
      events(response)(result(open, textResult("continued")), "2");
      response.end();
      return true;
    });
    let open: number | undefined;
    expect(await call(overHttp(server.url), "poll")).toBe("continued");
  });

  it("hears what the server says by itself", async () => {
    const server = await scriptedHttp("legacy", ({ verb }, response) => {
      if (verb !== "GET") return undefined;
      events(response)({
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "note://a" },
      });
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
  it.each([
    [
      "500 with words",
      (_: unknown, response: never) => json(response, 500, { oops: "down for repair" }),
      /HTTP 500.*down for repair/,
    ],
    ["401", (_: unknown, response: never) => json(response, 401, {}), /HTTP 401.*oauth settings/],
    [
      "no JSON",
      (_: unknown, response: { end(text: string): void }) => response.end("<html>"),
      /HTTP 200: <html>/,
    ],
  ])("answers %s: the call says so", async (_name, answer, message) => {
    const server = await scriptedHttp("modern");
    const upstream = overHttp(server.url);
    await upstream.start();
    server.answer = ({ message: { method } }, response) => {
      if (method !== "tools/call") return undefined;
      answer(undefined, response as never);
      return true;
    };
    await expect(call(upstream, "echo")).rejects.toMatchObject(because("unavailable", message));
  });

  it("sends more than a message may hold: only that call fails", async () => {
    const server = await scriptedHttp("modern", ({ message: { id, params } }, response) => {
      if (params?.name === "huge") return json(response, 200, result(id, textResult("x".repeat(200_000))));
      if (params?.name !== "events") return undefined;
      events(response)(result(id, textResult("x".repeat(200_000))));
      return true;
    });
    const upstream = overHttp(server.url, {}, { maxMessageBytes: 100_000 });
    for (const tool of ["huge", "events"])
      await expect(call(upstream, tool)).rejects.toMatchObject(
        because("bad_answer", "more than 100000 bytes"),
      );
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
  });

  it("ends an answer without a result: the call fails at once", async () => {
    const server = await scriptedHttp("modern", ({ message: { params } }, response) => {
      if (params?.name !== "nothing") return undefined;
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n");
      return true;
    });
    await expect(call(overHttp(server.url), "nothing")).rejects.toMatchObject(
      because("bad_answer", "without a result"),
    );
  });

  it("cannot be reached: calls say so, then are refused at once, and work again when it is back", async () => {
    const server = await scriptedHttp("modern");
    const port = Number(new URL(server.url).port);
    const upstream = overHttp(server.url);
    await call(upstream, "echo");
    await server.close();
    for (let tries = 0; upstream.health().state !== "open-circuit"; tries++) {
      expect(tries).toBeLessThan(10);
      await expect(call(upstream, "echo")).rejects.toMatchObject({ code: "unavailable" });
    }
    await expect(call(upstream, "echo")).rejects.toMatchObject({
      message: expect.stringContaining("tried again in"),
    });
    await scriptedHttp("modern", undefined, port);
    await upstream.restart();
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
  });

  it("redirects: to itself it is followed, to anybody else it is not, and no credential goes there", async () => {
    const stolen: unknown[] = [];
    const thief = createServer((request, response) => {
      stolen.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
    try {
      const server = await scriptedHttp("modern", ({ url }, response) => {
        if (url !== "/mcp") return undefined;
        response.writeHead(307, { location: "/mcp/" }).end();
        return true;
      });
      const secret = { headers: { authorization: "Bearer secret-of-the-user" } };
      expect(await call(overHttp(server.url, secret), "echo", { a: 1 })).toBe('{"a":1}');
      server.answer = (_seen, response) => {
        response
          .writeHead(307, { location: `http://127.0.0.1:${(thief.address() as AddressInfo).port}/mcp` })
          .end();
        return true;
      };
      await expect(call(overHttp(server.url, secret), "echo")).rejects.toMatchObject(
        because("unavailable", "which is not followed"),
      );
      expect(stolen).toEqual([]);
    } finally {
      thief.close();
    }
  });
});

describe("OAuth client credentials", () => {
  it("fetches one token for all calls, and a new one when the server no longer takes it", async () => {
    const server = await scriptedHttp("modern", ({ url, headers, message }, response) => {
      if (url === "/token") {
        issued++;
        return json(response, 200, {
          access_token: `token-${issued}`,
          token_type: "Bearer",
          expires_in: 3600,
        });
      }
      if (headers.authorization === `Bearer token-${valid}` || message.method === undefined) return undefined;
      return json(response, 401, {});
    });
    let issued = 0;
    let valid = 1;
    const oauth = {
      tokenUrl: server.url.replace("/mcp", "/token"),
      clientId: "me",
      clientSecret: "s e c r e t",
      scope: "tools",
    };
    const upstream = overHttp(server.url, { oauth });
    expect(await Promise.all([1, 2, 3].map((at) => call(upstream, "echo", { at })))).toHaveLength(3);
    expect(issued).toBe(1);
    expect(server.seen[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from(`me:${encodeURIComponent("s e c r e t")}`).toString("base64")}`,
    );
    valid = 2;
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
    expect(issued).toBe(2);
  });

  it("says where no token was given, without the secret", async () => {
    const server = await scriptedHttp("modern", ({ url }, response) =>
      url === "/token"
        ? json(response, 401, { error: "invalid_client", error_description: "secret-secret" })
        : undefined,
    );
    const oauth = {
      tokenUrl: server.url.replace("/mcp", "/token"),
      clientId: "me",
      clientSecret: "secret-secret",
    };
    const error = await call(overHttp(server.url, { oauth }), "echo").catch(
      (reason: Error) => reason.message,
    );
    expect(error).toMatch(/gave no access token: HTTP 401: invalid_client/);
    expect(error).not.toContain("secret-secret");
  });

  it("never sends the secret over a line that others can read", async () => {
    const server = await scriptedHttp("modern");
    const oauth = { tokenUrl: "http://tokens.example/token", clientId: "me", clientSecret: "secret-secret" };
    await expect(call(overHttp(server.url, { oauth }), "echo")).rejects.toMatchObject({
      message: expect.stringContaining("token_url must begin with https://"),
    });
  });
});
