/** A page that made its own name point at 127.0.0.1, and everything that looks almost like us. Only exact names pass. */
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json } from "../../src/surfaces/http/answer.ts";
import { defineRoute } from "../../src/surfaces/http/route.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { ask, sendBytes } from "../raw-http.ts";

let asked = 0;
const probe = defineRoute({
  method: "GET",
  path: "/api/probe",
  right: "public",
  summary: "Counts who came through.",
  answers: { 200: Type.Object({}) },
  handle: () => json({ asked: ++asked }),
});

describe("the server's name", () => {
  let server: TestServer;
  let port: number;
  beforeAll(async () => {
    server = await startTestServer({
      routes: [...allRoutes, probe],
      hosts: ["gate.example.com"],
      origins: ["https://console.example.com"],
      limits: { maxPerMinute: 100_000 },
    });
    ({ port } = server);
  });
  afterAll(() => server.close());

  const goodHosts = () => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `LocalHost:${port}`,
    `[::1]:${port}`,
    "gate.example.com",
    `gate.example.com:${port}`,
  ];
  const badHosts = () => [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "localhost",
    `localhost:${port + 1}`,
    "127.0.0.1:80",
    `127.0.0.2:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `0177.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    `::1:${port}`,
    `localhost.:${port}`,
    `localhost.evil.example:${port}`,
    `evil.example.localhost:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localhost:${port}.evil.example`,
    `evil@localhost:${port}`,
    `localhost:${port}@evil.example`,
    `localhost:${port}/`,
    `localhost:${port},evil.example`,
    `localhost:0${port}`,
    `localhost:+${port}`,
    `xlocalhost:${port}`,
    `gate.example.com:${port + 1}`,
    `gate.example.com.:${port}`,
    `sub.gate.example.com:${port}`,
    `http://localhost:${port}`,
    `localhost:${port}#`,
    `localhost:${port}?`,
    "*",
  ];
  const goodOrigins = () => [
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    "http://gate.example.com",
    "https://gate.example.com",
    "https://console.example.com",
  ];
  const badOrigins = () => [
    "null",
    "https://evil.example",
    "http://evil.example",
    `https://localhost:${port}`,
    "http://localhost",
    `http://localhost:${port + 1}`,
    `http://localhost:${port}/`,
    `http://localhost:${port}.evil.example`,
    `http://localhost:${port}@evil.example`,
    `HTTP://LOCALHOST:${port}`,
    `http://127.0.0.2:${port}`,
    `http://evil.example:${port}`,
    "file://",
    "chrome-extension://abcdefghijklmnop",
    "vscode-webview://abc",
    "https://console.example.com:8443",
    "http://console.example.com",
    "https://console.example.com.evil.example",
    "https://evilconsole.example.com",
    "https://sub.console.example.com",
    `http://localhost:${port}, https://evil.example`,
    "*",
    "about:blank",
    "data:text/html",
    "",
  ];

  const statusOf = async (url: string, headers: Record<string, string>, method = "GET") =>
    (await ask(url, { method, headers })).status;

  it("is known in enough wrong forms", () => {
    expect(badHosts().length + badOrigins().length).toBeGreaterThanOrEqual(60);
  });

  it("is accepted exactly, whatever the route", async () => {
    for (const host of goodHosts())
      expect((await ask(`${server.url}/api/probe`, { headers: { host } })).status, host).toBe(200);
    for (const origin of goodOrigins()) {
      const answer = await ask(`${server.url}/api/probe`, { headers: { origin } });
      expect(answer.status, origin).toBe(200);
      expect(answer.headers["access-control-allow-origin"], origin).toBeUndefined();
    }
  });

  it("is refused in every other form, before the route runs, on every route", async () => {
    const before = asked;
    for (const [code, headers] of [
      ...badHosts().map((host) => ["wrong_host", { host }] as const),
      ...badOrigins().map((origin) => ["wrong_origin", { origin }] as const),
    ]) {
      const answer = await ask(`${server.url}/api/probe`, { headers });
      expect([headers, answer.status, JSON.parse(answer.text).code]).toEqual([headers, 403, code]);
    }
    expect(asked).toBe(before);
    for (const route of allRoutes) {
      const url = `${server.url}${route.path.replace(/:\w+/g, "anything")}`;
      for (const headers of [{ host: `evil.example:${port}` }, { origin: "https://evil.example" }])
        expect(
          await statusOf(url, { authorization: "Bearer token-all", ...headers }, route.method),
          url,
        ).toBe(403);
    }
  });

  it("is not asked for by other sites that send no Origin", async () => {
    for (const [site, status] of [
      ["cross-site", 403],
      ["same-site", 403],
      ["same-origin", 200],
      ["none", 200],
    ] as const)
      expect(await statusOf(`${server.url}/api/probe`, { "sec-fetch-site": site }), site).toBe(status);
  });

  it("must be given once, and requests must have one meaning", async () => {
    const host = `127.0.0.1:${port}`;
    const before = asked;
    const get = (...headers: string[]) => ["GET /api/probe HTTP/1.1", ...headers, "", ""].join("\r\n");
    const post = (headers: string, body: string) =>
      `POST /api/explain HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n${body}${get(`Host: ${host}`)}`;
    for (const [why, bytes] of [
      ["two hosts", get(`Host: ${host}`, "Host: evil.example")],
      ["an empty host", get("Host:")],
      ["no host", get()],
      ["the target is an address", `GET http://evil.example/api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ["the target is our address", `GET http://${host}/api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ["the target is a star", `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ["two origins", get(`Host: ${host}`, `Origin: http://${host}`, `Origin: http://${host}`)],
      ["a folded header", get(`Host: ${host}`, "X: a", " b")],
      ["a space before the colon", get(`Host : ${host}`)],
      ["length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n")],
      ["two lengths", post("Content-Length: 5\r\nContent-Length: 0", "")],
      ["chunks in another spelling", post("Transfer-Encoding: xchunked", "0\r\n\r\n")],
      ["a request in the body of a refused one", post("Content-Length: 60", "")],
      ["no HTTP", "hello\r\n\r\n"],
      ["headers without end", get(`Host: ${host}`, `X: ${"x".repeat(20_000)}`)],
    ] as const) {
      const answer = await sendBytes(server.url, bytes, 10_000);
      // A body that cannot be read as one: the connection may just end, before an answer is there.
      if (answer === "" && why === "chunks in another spelling") continue;
      expect(answer, why).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer, why).toContain("application/problem+json");
      expect(answer, why).toContain("content-security-policy: default-src 'none'");
      expect(answer.match(/HTTP\/1\.1 /g), why).toHaveLength(1);
    }
    expect(asked).toBe(before);
  });
});
