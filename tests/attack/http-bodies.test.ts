/** Every route with bodies that are not what it takes: a problem is answered, nothing breaks, nothing is done. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyRoute } from "../../src/surfaces/http/route.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { ask, type RawRequest, sendBytes } from "../raw-http.ts";

const named = (routes: readonly AnyRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const withBody = allRoutes.filter(({ body }) => body !== undefined);
const withoutBody = allRoutes.filter(({ body }) => body === undefined);
const pathOf = ({ path }: AnyRoute) => path.replace(/:\w+/g, "anything");
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const wide = (keys: number) => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join(",")}}`;

describe("every route", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ routes: allRoutes, limits: { maxPerMinute: 100_000 } });
  });
  afterAll(() => server.close());

  const send = (route: AnyRoute, request: RawRequest) =>
    ask(`${server.url}${pathOf(route)}`, {
      method: route.method,
      ...request,
      headers: { authorization: "Bearer token-all", "content-type": "application/json", ...request.headers },
    });
  const expectProblem = (answer: Awaited<ReturnType<typeof ask>>, status: number, why: string) => {
    expect(answer.status, `${why}: ${answer.text.slice(0, 200)}`).toBe(status);
    expect(answer.headers["content-type"], why).toBe("application/problem+json");
    expect(JSON.parse(answer.text), why).toMatchObject({ status });
    expect(server.broken, why).toEqual([]);
  };

  it.each(named(withBody))("%s refuses what is not JSON", async (_name, route) => {
    for (const body of [
      "hello",
      "{",
      '{"a":1}}',
      "{'a':1}",
      '{"a":1,}',
      "undefined",
      "NaN",
      '{"a":01}',
      "\uFEFF{}",
      '{"a":"\u0001"}',
      "[",
      '"',
    ])
      expectProblem(await send(route, { body }), 400, body);
    expectProblem(await send(route, { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }), 400, "not UTF-8");
  });

  it.each(named(withBody))(
    "%s refuses JSON that two readers understand differently",
    async (_name, route) => {
      for (const body of [
        '{"a":1,"a":2}',
        '{"x":{"b":1,"b":1}}',
        '{"__proto__":{"admin":true}}',
        '{"x":{"__proto__":1}}',
      ])
        expectProblem(await send(route, { body }), 400, body);
    },
  );

  it.each(named(withBody))(
    "%s refuses JSON that is too deep, too wide or too large",
    async (_name, route) => {
      expectProblem(await send(route, { body: deep(65) }), 400, "65 levels");
      // A route whose own bodies are short does not read so far.
      const tooMuch = route.maxBodyBytes === undefined ? 400 : 413;
      expectProblem(await send(route, { body: deep(100_000) }), tooMuch, "100,000 levels");
      expectProblem(await send(route, { body: wide(50_001) }), tooMuch, "50,001 keys");
      // Said before: nothing of the body is read. A client that writes on meets a closed connection.
      const answer = await sendBytes(
        server.url,
        head(route, ["content-type: application/json", `content-length: ${4 * 1024 * 1024 + 1}`]),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain("connection: close");
    },
  );

  // An agent runs the tool when its hook answers with an error: what it sends wrongly is denied in its own form, not by a status.
  // MCP clients are told in the words of JSON-RPC (tests/unit/surfaces/mcp/http).
  const ofClients = withBody.filter(({ path }) => path !== "/api/hook/:agent" && path !== "/mcp");
  it.each(named(ofClients))("%s refuses values of the wrong type", async (_name, route) => {
    for (const body of ["1", "true", '"text"', "[]", "null"])
      expectProblem(await send(route, { body }), 422, body);
    expectProblem(await send(route, { body: '{"no such field":1}' }), 422, "an unknown field");
  });

  it.each(named(withBody))("%s refuses other types of content", async (_name, route) => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "application/jsonp",
      "text/json",
      "application/json, text/plain",
    ])
      expectProblem(await send(route, { body: "{}", headers: { "content-type": type } }), 415, type);
    for (const encoding of ["gzip", "br", "deflate", "gzip, identity"])
      expectProblem(
        await send(route, { body: "{}", headers: { "content-encoding": encoding } }),
        415,
        encoding,
      );
  });

  it.each(named(withoutBody))("%s refuses a body", async (_name, route) => {
    // Many clients send an empty object with every POST, where it says nothing.
    const empty = route.method === "POST" ? [] : ["{}"];
    for (const body of [...empty, "x", "[]", "null", '{"a":1}', '{"__proto__":{}}', "{} {}"])
      expectProblem(
        await send(route, { body, headers: { "content-length": String(body.length) } }),
        400,
        body,
      );
  });

  it.each(named(allRoutes))(
    "%s refuses other methods and fields in the address that it does not know",
    async (_name, route) => {
      for (const method of ["HEAD", "OPTIONS", "TRACE", "PATCH", "PROPFIND"]) {
        if (allRoutes.some((other) => other.path === route.path && other.method === method)) continue;
        const answer = await ask(`${server.url}${pathOf(route)}`, {
          method,
          headers: { authorization: "Bearer token-all" },
        });
        expect(answer.status, method).toBe(405);
        expect(answer.headers["access-control-allow-origin"], method).toBeUndefined();
      }
      const { body } = route.body === undefined ? { body: undefined } : { body: "{}" };
      for (const query of ["?nothing=1", "?__proto__=1", "?constructor=1"]) {
        const answer = await ask(`${server.url}${pathOf(route)}${query}`, {
          method: route.method,
          headers: { authorization: "Bearer token-all", "content-type": "application/json" },
          ...(body !== undefined && { body }),
        });
        expectProblem(answer, 400, query);
      }
    },
  );

  it("refuses a chunked body as soon as it is too large, and lets the connection go", async () => {
    const route = withBody[0] as AnyRoute;
    const piece = "x".repeat(1024 * 1024);
    const chunk = `100000\r\n${piece}\r\n`;
    const text =
      head(route, ["content-type: application/json", "transfer-encoding: chunked"]) + chunk.repeat(6);
    const answer = await sendBytes(server.url, text, 5_000);
    expect(answer === "" || /^HTTP\/1\.1 413 /.test(answer), answer.slice(0, 100)).toBe(true);
    expect((await ask(`${server.url}/api/health/live`)).status).toBe(200);
  });

  const head = ({ method, path }: AnyRoute, headers: readonly string[]) =>
    [
      `${method} ${path.replace(/:\w+/g, "anything")} HTTP/1.1`,
      `host: ${new URL(server.url).host}`,
      "authorization: Bearer token-all",
      ...headers,
      "",
      "",
    ].join("\r\n");
});
