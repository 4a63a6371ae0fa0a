// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how plugin files name variables
import type { IncomingMessage, RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AddressVerdict, judgeAddress } from "../../src/safe/net/public-address.ts";
import { createSafeFetch } from "../../src/safe/net/safe-fetch.ts";
import { serveHttp, serveRaw } from "../unit/safe/net/safe-fetch-servers.ts";
import { pluginGate, texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";
import { because } from "../unit/sources/stopped.ts";
import { words } from "../words.ts";

const health = {
  name: "health",
  inputSchema: texts("url"),
  handler: { type: "http" as const, url: "{{url}}/health", method: "GET" },
};

async function serve(listener: RequestListener, host = "127.0.0.1", port = 0) {
  const server = await serveHttp(listener, host, port);
  onTestFinished(() => server.close());
  return { ...server, url: `http://${host}:${server.port}` };
}

/** On this stage 127.0.0.2 plays the public internet and 127.0.0.1 what nobody may reach. */
const judge = (address: string): AddressVerdict =>
  address === "127.0.0.2" ? { ok: true, canonical: address } : judgeAddress(address);
const stage = { fetch: createSafeFetch({ judge }), judge };

const get = (url: string, more: object = {}) => ({
  name: "get",
  inputSchema: texts("id?"),
  handler: { type: "http" as const, url, method: "GET", ...more },
});

describe("{{url}}/health", () => {
  it("reaches this machine only where the plugin's file says so in a trusted place", async () => {
    const { url, connections } = await serve((request, response) => response.end(`fine ${request.url}`));
    for (const place of [{}, { allowPrivate: true, trusted: false }]) {
      const { failure } = await pluginGate([health], place);
      expect(await failure("health", { url })).toMatchObject(
        because("invalid_input", /allowPrivate|trusted place/),
      );
    }
    expect(connections()).toBe(0);
    const { text } = await pluginGate([health], { allowPrivate: true });
    expect(await text("health", { url })).toBe("fine /health");
    expect(await text("health", { url: `${url}/` })).toBe("fine /health");
  });

  it("knows this machine and its network under every name and spelling", async () => {
    const { port, connections } = await serve((_, response) => response.end("secret"));
    const { failure } = await pluginGate([health]);
    for (const host of words(`
      127.0.0.1 localhost 127.1 2130706433 0x7f000001 0177.0.0.1 [::1] [::ffff:127.0.0.1] 0.0.0.0 127.0.0.1.
      ①②⑦.⓪.⓪.① [::ffff:7f00:1] [::] 169.254.169.254 10.0.0.1 192.168.1.1 [fd00::1] [fe80::1]
    `)) {
      const { code, message, inner } = await failure("health", { url: `http://${host}:${port}` });
      // A name that is no address is only known to be one where it is resolved.
      if (inner === "network_error") expect(host).toBe("127.0.0.1.");
      else
        expect([code, message], host).toEqual(["invalid_input", expect.stringMatching(/not on the public/)]);
    }
    expect(connections()).toBe(0);
  });

  it("asks nobody about an address that would be refused anyway", async () => {
    let asked = 0;
    const approver = {
      name: "somebody",
      ask() {
        asked += 1;
        return { decision: "approve" as const };
      },
    };
    for (const [place, url] of [
      [{}, "http://127.0.0.1:9"],
      [{}, "http://localhost"],
      [{}, "http://x.localhost."],
      [{}, "http://[::1]:9"],
      [{ allowPrivate: true, trusted: false }, "http://127.0.0.1:9"],
      [{ allowPrivate: true }, "http://169.254.169.254"],
    ] as const) {
      const { failure } = await pluginGate([health], place, { policies: [], approver });
      expect(await failure("health", { url })).toMatchObject({ code: "invalid_input" });
    }
    const fixed = await pluginGate([get("http://127.0.0.1:9/")], {}, { policies: [], approver });
    expect(await fixed.failure("get", {})).toMatchObject({ code: "invalid_input" });
    expect(asked).toBe(0);
    const outside = await pluginGate([get("http://host.invalid/")], {}, { policies: [], approver });
    await outside.failure("get", {});
    expect(asked).toBe(1);
  });

  it("never opens the metadata address to a plugin, allowed private addresses or not", async () => {
    const { failure } = await pluginGate([health], { allowPrivate: true });
    expect(await failure("health", { url: "http://169.254.169.254" })).toMatchObject(
      because("invalid_input", "nothing opens this one"),
    );
  });

  it.each([
    ...words(`
      file:///etc/passwd ftp://127.0.0.1 gopher://127.0.0.1:6379/_x data:text/plain,x 127.0.0.1 //127.0.0.1
      http://user:pw@127.0.0.1 http://a.test#@127.0.0.1 http://a.test?x= http://a.test\\@127.0.0.1
    `),
    "http://a.test\r\nX: y",
    "http://a.test\0",
  ])("takes %j for no URL at all", async (url) => {
    const { failure } = await pluginGate([health], { allowPrivate: true });
    expect(await failure("health", { url })).toMatchObject({ code: "invalid_input" });
  });
});

describe("a redirect", () => {
  it("from a public host to this machine is refused, in one hop or in two", async () => {
    const inside = await serve((_, response) => response.end("the secret"));
    const front = await serve((request, response) => {
      const to = request.url === "/two" ? "/one" : `${inside.url}/x`;
      response.writeHead(302, { location: to }).end();
    }, "127.0.0.2");
    for (const path of ["one", "two"]) {
      const { failure } = await pluginGate([get(`${front.url}/${path}`)], stage);
      expect(await failure("get", {})).toMatchObject({ inner: "blocked_address" });
    }
    expect(inside.connections()).toBe(0);
  });

  it("to another host carries no credentials, and back none either", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers);
      response.end("second");
    }, "127.0.0.2");
    const first = await serve((request, response) => {
      seen.push(request.headers);
      response.writeHead(307, { location: `${second.url}/` }).end();
    }, "127.0.0.2");
    const headers = { Authorization: "Bearer ${KEY}", "X-Api-Key": "${KEY}", Cookie: "a=${KEY}" };
    const { text } = await pluginGate([get(`${first.url}/`, { headers })], {
      ...stage,
      env: { KEY: "canary-key" },
    });
    expect(await text("get", {})).toBe("second");
    expect(JSON.stringify(seen[0])).toContain("canary-key");
    expect(JSON.stringify(seen[1])).not.toContain("canary-key");
  });

  it("to another host is not followed where the caller chose the first", async () => {
    const second = await serve((_, response) => response.end("second"), "127.0.0.2");
    const first = await serve(
      (_, response) => response.writeHead(302, { location: `${second.url}/` }).end(),
      "127.0.0.2",
    );
    const { failure } = await pluginGate([health], stage);
    expect(await failure("health", { url: first.url })).toMatchObject({ inner: "bad_redirect" });
    expect(second.connections()).toBe(0);
  });

  it("without end, or to another scheme, is refused", async () => {
    const loop = await serve((_, response) => response.writeHead(302, { location: "/" }).end(), "127.0.0.2");
    const odd = await serve(
      (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      "127.0.0.2",
    );
    const { failure } = await pluginGate(
      [get(`${loop.url}/`), { ...get(`${odd.url}/`), name: "odd" }],
      stage,
    );
    expect(await failure("get", {})).toMatchObject({ inner: "too_many_redirects" });
    expect(await failure("odd", {})).toMatchObject({ inner: "bad_redirect" });
  });
});

describe("a hostile server", () => {
  const open = { allowPrivate: true };

  it("cannot hold a call longer than its time, whether it is silent or slow", async () => {
    const slow = await serve((_, response) => {
      response.write("a");
      const timer = setInterval(() => response.write("b"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const silent = await serveRaw(() => {});
    onTestFinished(() => silent.close());
    const { failure } = await pluginGate(
      [
        get(`${slow.url}/`, { timeout: 200 }),
        { ...get(`http://127.0.0.1:${silent.port}/`, { timeout: 200 }), name: "silent" },
      ],
      open,
    );
    expect(await failure("get", {})).toMatchObject({ inner: "timed_out" });
    expect(await failure("silent", {})).toMatchObject({ inner: "timed_out" });
  });

  it("cannot fill the memory: neither plainly, nor packed, nor with endless headers", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024), { level: 9 });
    const server = await serve((request, response) => {
      if (request.url === "/bomb") response.setHeader("content-encoding", "gzip").end(bomb);
      else if (request.url === "/headers") response.setHeader("x-a", "a".repeat(100_000)).end("x");
      else response.end("x".repeat(3 * 1024 * 1024));
    });
    const { failure } = await pluginGate([get(`${server.url}/{{id}}`)], open);
    expect(await failure("get", { id: "plain" })).toMatchObject({
      inner: "too_large",
      message: expect.stringMatching(/1048576/),
    });
    expect(await failure("get", { id: "bomb" })).toMatchObject({ inner: "too_large" });
    expect((await failure("get", { id: "headers" })).inner).toBe("network_error");
  });

  it("cannot break the call with JSON that is too deep or is none", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const server = await serve((_, response) =>
      response.setHeader("content-type", "application/json").end(deep),
    );
    const { call } = await pluginGate([get(`${server.url}/`)], open);
    expect(await call("get", {})).toMatchObject({ ok: true, value: undefined });
  });

  it("cannot be sent a second request or another header by a value", async () => {
    const raw: string[] = [];
    const server = await serveRaw((socket) => {
      socket.on("data", (data) => {
        raw.push(data.toString("latin1"));
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      });
    });
    onTestFinished(() => server.close());
    const evil = "x HTTP/1.1\r\nX-Injected: yes\r\n\r\nGET /second HTTP/1.1\r\nHost: evil\r\n\r\n";
    const base = `http://127.0.0.1:${server.port}`;
    const both = texts("id", "q");
    const { text } = await pluginGate(
      [
        { name: "get", inputSchema: both, handler: { type: "http", url: `${base}/a/{{id}}`, method: "GET" } },
        { name: "post", inputSchema: both, handler: { type: "http", url: `${base}/a/{{id}}?q={{q}}` } },
      ],
      open,
    );
    for (const tool of ["get", "post"]) expect(await text(tool, { id: evil, q: evil })).toBe("ok");
    for (const one of raw) {
      const head = one.split("\r\n\r\n", 1)[0] ?? "";
      expect(head.toLowerCase()).not.toContain("\r\nx-injected");
      expect(head.split("\r\n")[0]).toMatch(/^(GET|POST) \/a\/x%20HTTP%2F1\.1%0D%0A\S* HTTP\/1\.1$/);
    }
  });
});
