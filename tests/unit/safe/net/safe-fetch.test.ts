import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createSafeFetch,
  type FetchRequest,
  type FetchResult,
  type SafeFetch,
  safeFetch,
} from "../../../../src/safe/net/safe-fetch.ts";
import { words } from "../../../words.ts";
import {
  type Certificate,
  makeCertificate,
  type RunningServer,
  serveHttp,
  serveHttps,
  serveRaw,
} from "./safe-fetch-servers.ts";

const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
let server: RunningServer;
let other: RunningServer;

const packed =
  (encoding: string, bytes: Buffer | string): RequestListener =>
  (_request, response) =>
    void response.setHeader("content-encoding", encoding).end(bytes);
const routes: Readonly<Record<string, RequestListener>> = {
  "/gzip": packed("gzip", gzipSync("packed")),
  "/br": packed("br", brotliCompressSync("packed")),
  "/deflate": packed("deflate", deflateSync("packed")),
  "/raw": packed("deflate", deflateRawSync("packed")),
  "/damaged": packed("gzip", "not gzip at all"),
  "/cut": packed("gzip", gzipSync("x".repeat(5_000)).subarray(0, 20)),
  "/twice": packed("gzip, gzip", gzipSync(gzipSync("packed"))),
  "/latin1": (_request, response) =>
    void response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from([0xe4])),
  "/missing": (_request, response) => void response.writeHead(404).end("no such page"),
  "/empty": (_request, response) => void response.writeHead(204).end(),
};

const listener: RequestListener = (request, response) => {
  void text(request).then((body) => {
    const url = request.url ?? "";
    seen.push({ method: request.method ?? "", url, headers: request.headers, body });
    const [, status, target] = /^\/to\/(\d+)\?(.*)$/.exec(url) ?? [];
    const size = /^\/size\/(\d+)$/.exec(url)?.[1];
    if (status !== undefined && target !== undefined)
      response.writeHead(Number(status), { location: decodeURIComponent(target) }).end("moved");
    else if (size !== undefined)
      response.setHeader("content-length", size).end(Buffer.alloc(Number(size), 97));
    else (routes[url] ?? ((_request, answer) => void answer.end("hello")))(request, response);
  });
};

beforeAll(async () => {
  server = await serveHttp(listener);
  other = await serveHttp(listener);
});
afterAll(async () => {
  await server.close();
  await other.close();
});

function at(path: string, running = server): string {
  return `http://127.0.0.1:${running.port}${path}`;
}

function get(path: string, more: Partial<FetchRequest> = {}): Promise<FetchResult> {
  const allowPrivate = [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`];
  return safeFetch({ url: at(path), allowPrivate, ...more });
}

function codeOf(result: FetchResult): string {
  return result.ok ? `answered ${result.status}` : result.code;
}

describe("safeFetch: an answer", () => {
  it("holds status, headers, body and the URL that answered", async () => {
    const result = await get("/page?q=1");
    expect(result).toMatchObject({ ok: true, status: 200, url: at("/page?q=1"), redirects: [] });
    if (result.ok) expect([result.text(), result.headers["content-length"]]).toEqual(["hello", "5"]);
  });

  it("is an answer too when the server says no", async () => {
    expect(await get("/missing")).toMatchObject({ ok: true, status: 404 });
    expect(await get("/empty")).toMatchObject({ ok: true, status: 204 });
  });

  it("to HEAD has no body, however large the page is", async () => {
    const result = await get("/size/5000", { method: "HEAD", maxBytes: 10 });
    expect(result).toMatchObject({ ok: true, headers: { "content-length": "5000" }, body: new Uint8Array() });
  });

  it.each(["/gzip", "/br", "/deflate", "/raw"])("is unpacked (%s)", async (path) => {
    const result = await get(path);
    expect(result.ok && result.text()).toBe("packed");
  });

  it("is decoded by its charset", async () => {
    const result = await get("/latin1");
    expect(result.ok && result.text()).toBe("ä");
  });

  it("with a damaged, cut or doubled encoding is refused", async () => {
    for (const path of ["/damaged", "/cut", "/twice"]) expect(codeOf(await get(path))).toBe("bad_encoding");
  });

  it("may be as large as the limit and not a byte larger", async () => {
    expect(codeOf(await get("/size/1000", { maxBytes: 1_000 }))).toBe("answered 200");
    expect(codeOf(await get("/size/1001", { maxBytes: 1_000 }))).toBe("too_large");
    expect(codeOf(await get(`/size/${5 * 1024 * 1024 + 1}`))).toBe("too_large");
  });
});

describe("safeFetch: a request", () => {
  it("carries method, headers and body as given, and nothing of ours but the needed", async () => {
    seen.length = 0;
    await get("/post", { method: "post", headers: { "X-Api-Key": "k" }, body: '{"a":"ä"}' });
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"a":"ä"}' });
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(
      words("accept accept-encoding connection content-length host user-agent x-api-key"),
    );
  });

  it.each([
    { headers: { Host: "other" } },
    { headers: { "Transfer-Encoding": "chunked" } },
    { headers: { "content-length": "3" } },
    { headers: { "Proxy-Authorization": "x" } },
    { headers: { Connection: "upgrade" } },
    { headers: { "X-A": "a\r\nX-B: b" } },
    { headers: { "X A": "a" } },
    { headers: { a: "1", A: "2" } },
    { method: "CONNECT" },
    { method: "TRACE" },
    { method: "GET / HTTP/1.1\r\nX: y" },
    { body: "x" },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { maxRedirects: -1 },
  ])("is refused before anything is sent: %j", async (more) => {
    seen.length = 0;
    expect(codeOf(await get("/", more))).toBe("bad_request");
    expect(seen).toEqual([]);
  });
});

describe("safeFetch: redirects", () => {
  it("are followed up to the limit", async () => {
    const to = (target: string): string => `/to/302?${encodeURIComponent(target)}`;
    const twice = to(to("/end"));
    const result = await get(twice);
    expect(result).toMatchObject({ ok: true, url: at("/end"), redirects: [at(to("/end")), at("/end")] });
    expect(codeOf(await get(twice, { maxRedirects: 1 }))).toBe("too_many_redirects");
    expect(codeOf(await get(to("/x"), { maxRedirects: 0 }))).toBe("too_many_redirects");
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [301, "PUT", "PUT", "data"],
    [307, "POST", "POST", "data"],
    [308, "PATCH", "PATCH", "data"],
  ])("%i turns %s into %s", async (status, method, next, body) => {
    seen.length = 0;
    await get(`/to/${status}?/end`, { method, body: "data", headers: { "content-type": "text/plain" } });
    expect(seen[1]).toMatchObject({ method: next, body });
    expect(seen[1]?.headers["content-type"]).toBe(body === "" ? undefined : "text/plain");
  });

  it("take no credential of any name to another origin, and get none back at the return", async () => {
    seen.length = 0;
    const back = at("/end");
    const away = at(`/to/307?${encodeURIComponent(back)}`, other);
    const secret = { Authorization: "a", Cookie: "b", "X-Api-Key": "c", "Private-Token": "d" };
    const headers = { ...secret, Accept: "text/html" };
    const result = await get(`/to/307?${encodeURIComponent(away)}`, { headers });
    expect(result).toMatchObject({ ok: true, url: back });
    for (const hop of seen.slice(1)) {
      expect(hop.headers).toMatchObject({ accept: "text/html" });
      for (const name of Object.keys(secret)) expect(hop.headers).not.toHaveProperty(name.toLowerCase());
    }
  });

  it("keep the headers within one origin", async () => {
    seen.length = 0;
    await get("/to/302?/end", { headers: { "X-Api-Key": "c" } });
    expect(seen[1]?.headers).toMatchObject({ "x-api-key": "c" });
  });

  it("can be refused by the caller's rule for each hop", async () => {
    const result = await get("/to/302?/admin", {
      refuseRedirect: (to) => (new URL(to).pathname === "/admin" ? "no admin pages" : undefined),
    });
    expect(codeOf(result)).toBe("bad_redirect");
    expect(result).toMatchObject({ message: expect.stringContaining("no admin pages") });
  });

  it.each(
    words("ftp://x/ file:///etc/passwd javascript:1 http://u:p@x/ //u@x/ http:// http://x:99999/ \\\\x\\y"),
  )("to %s are refused", async (target) => {
    expect(codeOf(await get(`/to/302?${encodeURIComponent(target)}`))).toBe("bad_redirect");
  });
});

describe("safeFetch: ends", () => {
  /** What comes of a request to a server that does this with every connection. */
  async function against(serve: (socket: Socket) => void, more: Partial<FetchRequest> = {}): Promise<string> {
    const running = await serveRaw(serve);
    const result = await safeFetch({ url: at("/", running), allowPrivate: true, timeoutMs: 20_000, ...more });
    await running.close();
    return codeOf(result);
  }
  const dripping = (begin: string, piece: string, everyMs: number) => (socket: Socket) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on("close", () => clearInterval(timer));
  };

  it("at the deadline when the server says nothing", async () => {
    expect(await against(() => {}, { timeoutMs: 150 })).toBe("timed_out");
  });

  it("at the deadline when the body drips a byte at a time", async () => {
    expect(await against(dripping("HTTP/1.1 200 OK\r\n\r\n", ".", 10), { timeoutMs: 200 })).toBe("timed_out");
  });

  it("at the deadline when the header drips, or interim answers never stop", async () => {
    const header = dripping("HTTP/1.1 200 OK\r\nx: ", "x", 5);
    const interim = dripping("", "HTTP/1.1 103 Early Hints\r\n\r\n", 5);
    for (const serve of [header, interim]) expect(await against(serve, { timeoutMs: 200 })).toBe("timed_out");
  });

  it("at the deadline when the name never resolves", async () => {
    const never = { timeoutMs: 50, resolve: () => new Promise<string[]>(() => {}) };
    expect(codeOf(await safeFetch({ url: "http://x.example/", ...never }))).toBe("timed_out");
  });

  it("when the caller aborts, before or during", async () => {
    expect(codeOf(await get("/", { signal: AbortSignal.abort() }))).toBe("aborted");
    const controller = new AbortController();
    const { signal } = controller;
    expect(await against((socket) => void socket.once("data", () => controller.abort()), { signal })).toBe(
      "aborted",
    );
  });

  it("with a value for every broken answer", async () => {
    const answers = [
      "",
      "garbage\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      `HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}\r\n\r\n`,
      "HTTP/1.1 302 Found\r\nlocation: http://a\u0001b/\r\n\r\n",
    ];
    for (const answer of answers) {
      const code = await against((socket) => void socket.once("data", () => socket.end(answer)));
      expect(["network_error", "bad_redirect"], answer.slice(0, 60)).toContain(code);
    }
  });

  it("when nothing listens or the name is unknown", async () => {
    const gone = await serveRaw(() => {});
    await gone.close();
    expect(codeOf(await safeFetch({ url: at("/", gone), allowPrivate: true }))).toBe("network_error");
    const unknown = Object.assign(new Error("x"), { code: "ENOTFOUND" });
    const result = await safeFetch({ url: "http://x.example/", resolve: () => Promise.reject(unknown) });
    const told = { code: "network_error", message: expect.stringContaining("ENOTFOUND") };
    expect(result).toMatchObject(told);
    const none = await safeFetch({ url: "http://x.example/", resolve: async () => [] });
    expect(codeOf(none)).toBe("network_error");
  });

  it("and leaves no connection behind", async () => {
    const closed: Promise<void>[] = [];
    const watched = await serveRaw((socket) => {
      closed.push(new Promise((resolve) => socket.on("close", () => resolve())));
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
    });
    expect(codeOf(await safeFetch({ url: at("/", watched), allowPrivate: true }))).toBe("answered 200");
    // Before the server closes them.
    await Promise.all(closed);
    await watched.close();
  });
});

describe("safeFetch: encryption", () => {
  let certificate: Certificate;
  let secure: RunningServer;
  beforeAll(async () => {
    certificate = makeCertificate(["good.example"]);
    secure = await serveHttps(listener, certificate);
  });
  afterAll(() => secure.close());
  const to = (host: string, path = "/") => ({
    url: `https://${host}:${secure.port}${path}`,
    allowPrivate: true as const,
    resolve: async () => ["127.0.0.1"],
  });
  const trusting: SafeFetch = (request) => createSafeFetch({ ca: certificate.cert })(request);

  it("works with a certificate that is trusted and names the host", async () => {
    const request = to("good.example");
    expect(await trusting(request)).toMatchObject({ ok: true, status: 200, url: request.url });
  });

  it("refuses another host's certificate and one that nobody vouches for, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const [wrongName, unknown] = [await trusting(to("bad.example")), await safeFetch(to("good.example"))];
    expect([codeOf(wrongName), codeOf(unknown)]).toEqual(["network_error", "network_error"]);
  });

  it("is not given up by a redirect to plain http", async () => {
    seen.length = 0;
    const away = `/to/302?${encodeURIComponent(at("/"))}`;
    expect(codeOf(await trusting(to("good.example", away)))).toBe("bad_redirect");
    expect(seen).toHaveLength(1);
  });

  it("ends at the deadline when the handshake never does", async () => {
    const silent = await serveRaw(() => {});
    const url = `https://127.0.0.1:${silent.port}/`;
    expect(codeOf(await safeFetch({ url, allowPrivate: true, timeoutMs: 150 }))).toBe("timed_out");
    await silent.close();
  });
});
