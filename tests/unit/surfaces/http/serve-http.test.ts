import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, stream } from "../../../../src/surfaces/http/answer.ts";
import { defineRoute } from "../../../../src/surfaces/http/route.ts";
import { startTestServer, type TestServer } from "../../../http-server.ts";
import { sendBytes } from "../../../raw-http.ts";

const echo = defineRoute({
  method: "POST",
  path: "/api/echo/:name",
  right: "call",
  summary: "Says what it got.",
  query: Type.Object(
    { times: Type.Optional(Type.Integer()), tag: Type.Optional(Type.Array(Type.String())) },
    { additionalProperties: false },
  ),
  body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  answers: { 200: Type.Object({}) },
  handle: ({ params, query, body, bodyText, holder }) =>
    json({ name: params.name, query, text: body.text, bodyText, who: holder.caller.id }),
});
const fixed = defineRoute({
  method: "GET",
  path: "/api/echo/fixed",
  right: "read",
  summary: "A path that a parameter would take, too.",
  answers: { 200: Type.Object({}) },
  handle: () => json({ fixed: true }),
});
const breaks = defineRoute({
  method: "GET",
  path: "/api/breaks",
  right: "public",
  summary: "Throws.",
  answers: { 200: Type.Object({}) },
  handle: () => {
    throw new Error("the secret inside");
  },
});
const counts = defineRoute({
  method: "GET",
  path: "/api/counts",
  right: ["read", "admin"],
  summary: "Streams.",
  answers: { 200: { contentType: "text/plain", description: "Numbers." } },
  handle: () =>
    stream("text/plain", async (out) => {
      for (let number = 0; number < 3; number++) if (!out.write(`${number}\n`)) await out.drained();
    }),
});
const left = Promise.withResolvers<void>();
const began = Promise.withResolvers<void>();
const isLong = defineRoute({
  method: "GET",
  path: "/api/long",
  right: "public",
  summary: "Works until the client has left.",
  answers: { 200: Type.Object({}) },
  async handle({ signal }) {
    began.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    setImmediate(left.resolve);
    signal.throwIfAborted();
    return json({});
  },
});

describe("the HTTP server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ routes: [echo, fixed, breaks, counts, isLong] });
  });
  afterAll(() => server.close());

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    server.ask(path, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

  it("hands a route its decoded parameters, converted query, checked body and the token's caller", async () => {
    const response = await post("/api/echo/a%2Fb?times=3&tag=x&tag=y", '{"text":"hello"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      name: "a/b",
      query: { times: 3, tag: ["x", "y"] },
      text: "hello",
      bodyText: '{"text":"hello"}',
      who: "token-all",
    });
  });

  it("has nothing to say in its log about a client that left", async () => {
    const leaving = new AbortController();
    const asked = server.ask("/api/long", { signal: leaving.signal });
    await began.promise;
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await left.promise;
    expect(server.broken).toEqual([]);
  });

  it("prefers a fixed path to one with a parameter, for every method", async () => {
    expect(await (await server.ask("/api/echo/fixed")).json()).toEqual({ fixed: true });
    const wrong = await post("/api/echo/fixed", '{"text":"x"}');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET");
  });

  it("refuses what a schema does not allow with a problem that names the place", async () => {
    const response = await post("/api/echo/x", '{"text":3}');
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      type: "urn:toolgate:problem:invalid_body",
      code: "invalid_body",
      issues: [{ path: "$.text" }],
    });
  });

  it("refuses queries that are unknown, given twice or of the wrong type", async () => {
    for (const query of ["token=x", "times=1&times=2", "times=many", "__proto__=1"])
      expect((await post(`/api/echo/x?${query}`, '{"text":"x"}')).status, query).toBe(400);
    expect((await server.ask("/api/echo/fixed?x=1")).status).toBe(400);
  });

  it("lets one of several rights be enough", async () => {
    for (const [token, status] of [
      ["token-read", 200],
      ["token-admin", 200],
      ["token-call-approve", 403],
    ] as const) {
      const response = await server.ask("/api/counts", { headers: { authorization: `Bearer ${token}` } });
      expect(response.status, token).toBe(status);
      const text = await response.text();
      if (status === 200) expect(text).toBe("0\n1\n2\n");
    }
  });

  it("asks for a body only when it wants it: whoever is refused has sent nothing", async () => {
    const { host } = new URL(server.url);
    const head = (token: string) =>
      `POST /api/echo/x HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n`;
    expect(await sendBytes(server.url, head("nobody"), 300)).toMatch(/^HTTP\/1\.1 401 /);
    const both = await sendBytes(server.url, `${head("token-all")}{"text":"x"}`, 300);
    expect(both).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it("does not tell the client what broke inside", async () => {
    const response = await server.ask("/api/breaks");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(server.broken).toEqual(["GET /api/breaks: the secret inside"]);
  });

  it("puts the headers that tame browsers on every answer", async () => {
    for (const path of ["/api/echo/fixed", "/api/breaks", "/nowhere", "/api/counts"]) {
      const { headers } = await server.ask(path);
      expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("access-control-allow-origin"), path).toBeNull();
    }
  });
});
