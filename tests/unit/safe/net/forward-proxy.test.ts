import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createForwardProxy, type ForwardProxyOptions } from "../../../../src/safe/net/forward-proxy.ts";
import { serveHttp } from "./safe-fetch-servers.ts";

async function world(options: Partial<ForwardProxyOptions> = {}) {
  const target = await serveHttp(async (request, response) => {
    const body = await text(request);
    response.writeHead(200, { "x-seen": JSON.stringify(request.headers), "set-cookie": ["a=1", "b=2"] });
    response.end(`${request.method} ${request.url} ${body}`);
  });
  const refused: string[] = [];
  const proxy = await createForwardProxy({
    allowPrivate: [`127.0.0.1:${target.port}`, `good.example:${target.port}`],
    resolve: async (host) => (host === "good.example" ? ["127.0.0.1"] : []),
    onRefused: (host, { message }) => refused.push(`${host} ${message}`),
    ...options,
  });
  onTestFinished(async () => {
    await proxy.close();
    await target.close();
  });
  const send = async (path: string, method = "GET", body?: string) => {
    const headers = { "proxy-authorization": "secret", "proxy-connection": "keep-alive", "x-mine": "1" };
    const place = { host: "127.0.0.1", port: proxy.port, agent: false as const };
    const asked = httpRequest({ ...place, path, method, headers }).end(body);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, body: await text(answer), headers: answer.headers };
  };
  /** What comes back for raw bytes. */
  const raw = (bytes: string, more?: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(proxy.port, "127.0.0.1", () => socket.write(bytes));
      let got = "";
      let sent = false;
      socket.on("data", (chunk) => {
        got += chunk;
        if (more !== undefined && !sent) socket.write(more);
        sent = true;
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(got));
      setTimeout(() => socket.destroy(), 30_000).unref();
    });
  return { target, proxy, refused, send, raw };
}

describe("a proxy for a browser", () => {
  it("passes a plain request on, without what is between browser and proxy", async () => {
    const { target, send } = await world();
    const { status, body, headers } = await send(`http://127.0.0.1:${target.port}/a?b=1`, "POST", "hello");
    expect([status, body]).toEqual([200, "POST /a?b=1 hello"]);
    const seen = JSON.parse(String(headers["x-seen"]));
    expect(seen).toMatchObject({ host: `127.0.0.1:${target.port}`, "x-mine": "1" });
    expect(Object.keys(seen).filter((name) => name.startsWith("proxy-"))).toEqual([]);
    expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });

  it("makes a tunnel, and resolves names itself", async () => {
    const { target, raw } = await world();
    const got = await raw(
      `CONNECT good.example:${target.port} HTTP/1.1\r\nhost: x\r\n\r\n`,
      "GET /in HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    expect(got).toContain("200 Connection Established");
    expect(got).toContain("GET /in");
  });

  it("refuses addresses that are not public, those of names too, with one answer for all", async () => {
    const { target, send, raw, refused } = await world({ allowPrivate: false });
    const inside = ["127.0.0.1", "good.example", "[::ffff:127.0.0.1]"].map(
      (host) => `${host}:${target.port}`,
    );
    const names = [...inside, "169.254.169.254:80", "nowhere.example:80"];
    for (const host of names) {
      expect((await send(`http://${host}/`)).status, host).toBe(502);
      expect(await raw(`CONNECT ${host} HTTP/1.1\r\nhost: x\r\n\r\n`), host).toMatch(/^HTTP\/1\.1 502 /);
    }
    expect(target.connections()).toBe(0);
    expect(refused).toHaveLength(names.length * 2);
  });

  it("asks what else speaks against a connection, and tells whether it leads inside", async () => {
    const asked: [string, boolean][] = [];
    const mayConnect = async (url: string, isPrivate: boolean) => {
      asked.push([url, isPrivate]);
      return "No.";
    };
    const { target, send, raw } = await world({ mayConnect });
    expect((await send(`http://127.0.0.1:${target.port}/path`)).status).toBe(502);
    await raw(`CONNECT 127.0.0.1:${target.port} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(asked).toEqual([
      [`http://127.0.0.1:${target.port}/path`, true],
      [`https://127.0.0.1:${target.port}/`, true],
    ]);
    expect(target.connections()).toBe(0);
  });

  it("is no server: it takes nothing but what browsers send to proxies", async () => {
    const { target, raw, send } = await world();
    for (const line of [
      "GET / HTTP/1.1",
      `GET https://127.0.0.1:${target.port}/ HTTP/1.1`,
      "GET file:///etc/passwd HTTP/1.1",
    ])
      expect(await raw(`${line}\r\nhost: 127.0.0.1\r\n\r\n`), line).toMatch(/^HTTP\/1\.1 400 /);
    for (const place of ["127.0.0.1:80/path", "user@127.0.0.1:80", "", "127.0.0.1:0", "127.0.0.1:99999"])
      expect(await raw(`CONNECT ${place} HTTP/1.1\r\nhost: x\r\n\r\n`), place).toMatch(/^(?:HTTP\/1\.1 4|$)/);
    expect((await send(`http://u:p@127.0.0.1:${target.port}/`)).status).toBe(400);
    expect(target.connections()).toBe(0);
  });
});
