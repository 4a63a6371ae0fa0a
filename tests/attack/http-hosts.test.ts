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
    for (const host of badHosts()) {
      const answer = await ask(`${server.url}/api/probe`, { headers: { host } });
      expect(answer.status, host).toBe(403);
      expect(JSON.parse(answer.text), host).toMatchObject({ code: "wrong_host" });
    }
    for (const origin of badOrigins()) {
      const answer = await ask(`${server.url}/api/probe`, { headers: { origin } });
      expect(answer.status, origin).toBe(403);
      expect(JSON.parse(answer.text), origin).toMatchObject({ code: "wrong_origin" });
    }
    expect(asked).toBe(before);
    for (const route of allRoutes) {
      const url = `${server.url}${route.path.replace(/:\w+/g, "anything")}`;
      for (const headers of [{ host: `evil.example:${port}` }, { origin: "https://evil.example" }])
        expect(
          (
            await ask(url, {
              method: route.method,
              headers: { authorization: "Bearer token-all", ...headers },
            })
          ).status,
          `${route.method} ${route.path}`,
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
      expect(
        (await ask(`${server.url}/api/probe`, { headers: { "sec-fetch-site": site } })).status,
        site,
      ).toBe(status);
  });

  it("must be given once, and requests must have one meaning", async () => {
    const host = `127.0.0.1:${port}`;
    const before = asked;
    for (const [why, bytes] of [
      ["two hosts", `GET /api/probe HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`],
      ["an empty host", "GET /api/probe HTTP/1.1\r\nHost:\r\n\r\n"],
      ["no host", "GET /api/probe HTTP/1.1\r\n\r\n"],
      ["the target is an address", `GET http://evil.example/api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ["the target is our address", `GET http://${host}/api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ["the target is a star", `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      [
        "two origins",
        `GET /api/probe HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nOrigin: http://${host}\r\n\r\n`,
      ],
      ["a folded header", `GET /api/probe HTTP/1.1\r\nHost: ${host}\r\nX: a\r\n b\r\n\r\n`],
      ["a space before the colon", `GET /api/probe HTTP/1.1\r\nHost : ${host}\r\n\r\n`],
      [
        "length and chunks",
        `POST /api/explain HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ],
      [
        "two lengths",
        `POST /api/explain HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\nGET /api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ],
      [
        "chunks in another spelling",
        `POST /api/explain HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ],
      [
        "a request in the body of a refused one",
        `POST /api/explain HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 60\r\n\r\nGET /api/probe HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ],
      ["no HTTP", "hello\r\n\r\n"],
      ["headers without end", `GET /api/probe HTTP/1.1\r\nHost: ${host}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ] as const) {
      const answer = await sendBytes(server.url, bytes, 1_000);
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
