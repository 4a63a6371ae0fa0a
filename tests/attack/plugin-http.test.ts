// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how plugin files name variables
import type { RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AddressVerdict, judgeAddress } from "../../src/safe/net/public-address.ts";
import { createSafeFetch } from "../../src/safe/net/safe-fetch.ts";
import { serveHttp } from "../unit/safe/net/safe-fetch-servers.ts";
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
    for (const [place, url, why = ""] of [
      [{}, "http://127.0.0.1:9"],
      [{}, "http://localhost"],
      [{}, "http://x.localhost."],
      [{}, "http://[::1]:9"],
      [{ allowPrivate: true, trusted: false }, "http://127.0.0.1:9"],
      [{ allowPrivate: true }, "http://169.254.169.254", "nothing opens this one"],
    ] as const) {
      const { failure } = await pluginGate([health], place, { policies: [], approver });
      expect(await failure("health", { url })).toMatchObject(because("invalid_input", why));
    }
    const fixed = await pluginGate([get("http://127.0.0.1:9/")], {}, { policies: [], approver });
    expect(await fixed.failure("get", {})).toMatchObject({ code: "invalid_input" });
    expect(asked).toBe(0);
    const outside = await pluginGate([get("http://host.invalid/")], {}, { policies: [], approver });
    await outside.failure("get", {});
    expect(asked).toBe(1);
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
});

describe("a hostile server", () => {
  const open = { allowPrivate: true };

  it("cannot hold a call longer than its time, nor fill the memory", async () => {
    const { url } = await serve((request, response) => {
      if (request.url !== "/silent") response.end("x".repeat(3 * 1024 * 1024));
    });
    const { failure } = await pluginGate([get(`${url}/{{id}}`, { timeout: 2_000 })], open);
    expect(await failure("get", { id: "silent" })).toMatchObject({ inner: "timed_out" });
    const large = { inner: "too_large", message: expect.stringMatching(/1048576/) };
    expect(await failure("get", { id: "large" })).toMatchObject(large);
  });

  it("cannot break the call with JSON that is too deep or is none", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const server = await serve((_, response) =>
      response.setHeader("content-type", "application/json").end(deep),
    );
    const { call } = await pluginGate([get(`${server.url}/`)], open);
    expect(await call("get", {})).toMatchObject({ ok: true, value: undefined });
  });
});
