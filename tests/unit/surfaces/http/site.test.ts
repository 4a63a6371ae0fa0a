import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSite } from "../../../../src/surfaces/http/site/load-site.ts";
import { createSite } from "../../../../src/surfaces/http/site/site.ts";
import { allRoutes } from "../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../../../http-server.ts";
import { ask, sendBytes } from "../../../raw-http.ts";

const html = { accept: "text/html,application/xhtml+xml" };

describe("the pages for people", () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-site-"));
    mkdirSync(join(folder, "site", "assets"), { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(folder, "site", name), text);
    write("index.html", '<!doctype html><script type="module" src="./assets/main-B2x9Qa1z.js"></script>');
    write("assets/main-B2x9Qa1z.js", `document.title = "toolgate";${" ".repeat(2_000)}`);
    write("assets/main-B2x9Qa1z.js.map", "{}");
    write("icon.svg", "<svg/>");
    writeFileSync(join(folder, "secret.txt"), "secret");
    symlinkSync(join(folder, "secret.txt"), join(folder, "site", "link.txt"));
    server = await startTestServer({
      routes: allRoutes,
      site: createSite(loadSite(join(folder, "site"))),
    });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    ask(`${server.url}${path}`, { headers, method });

  it.for(["/", "/?a=1", "/inbox/abc", "/ledger?verdict=deny", "/sessions/s-1", "/tools/fs.read"])(
    "are at / and at every view, without a token, and are asked for anew each time: %s",
    async (path) => {
      const { status, headers, text } = await get(path, html);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers["cache-control"]).toBe("no-cache");
      // From /inbox/abc, ./assets would lead to /inbox/assets.
      expect(text).toContain('src="/assets/main-B2x9Qa1z.js"');
    },
  );

  it("have a policy of their own: nothing inline, nothing from elsewhere, never in a frame", async () => {
    for (const path of ["/", "/inbox/abc", "/assets/main-B2x9Qa1z.js", "/icon.svg"]) {
      const { headers } = await get(path, html);
      expect(headers["content-security-policy"], path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types toolgate",
      );
      expect(headers, path).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
      expect(headers["access-control-allow-origin"], path).toBeUndefined();
      expect(headers["set-cookie"], path).toBeUndefined();
    }
  });

  it("keep files with hashed names for ever, and send nothing that the browser has", async () => {
    const { headers } = await get("/assets/main-B2x9Qa1z.js");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const again = await get("/assets/main-B2x9Qa1z.js", { "if-none-match": String(headers.etag) });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await get("/", { "if-none-match": '"other", W/"x"' })).status).toBe(200);
  });

  it("are packed for whoever takes that, and answer HEAD without a body", async () => {
    const packed = await fetch(`${server.url}/assets/main-B2x9Qa1z.js`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.text()).toContain("document.title");
    const raw = await sendBytes(
      server.url,
      `GET /assets/main-B2x9Qa1z.js HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    );
    const body = Buffer.from(raw, "latin1").subarray(Buffer.from(raw, "latin1").indexOf("\r\n\r\n") + 4);
    expect(gunzipSync(body).length).toBeGreaterThan(2_000);
    const head = await get("/", {}, "HEAD");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(Number(head.headers["content-length"])).toBeGreaterThan(50);
  });

  it.for([
    ["/api/ledger", 401],
    ["/api/nothing", 404],
    ["/api", 404],
    ["/mcp", 401],
    ["/metrics", 401],
    ["/assets/other.js", 404],
    ["/assets/main-B2x9Qa1z.js.map", 404],
    ["/.well-known/x", 404],
    ["/.env", 404],
    ["/api/health/live", 200],
  ] as const)(
    "leave the API as it is: no data without a token, and 404 for what is not there: %s %i",
    async ([path, status]) => expect((await get(path, html)).status).toBe(status),
  );

  it("are not there for what asks for no page", async () => {
    // A program that asks for something else than a page learns that it is not there.
    expect((await get("/inbox/abc")).status).toBe(404);
    expect((await get("/inbox/abc", html, "POST")).status).toBe(404);
  });

  it.for([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/assets//../secret.txt",
    "/link.txt",
    "/secret.txt%00.js",
    "/constructor",
    "/__proto__",
  ])("never touch the disk by what a request says: %s", async (path) => {
    const headers = `Host: 127.0.0.1:${server.port}\r\nAccept: text/html\r\nConnection: close`;
    const answer = await sendBytes(server.url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP/);
    expect(answer).not.toContain("\r\n\r\nsecret");
    expect(answer).not.toContain("root:");
  });

  it("put nothing of a request into a header", async () => {
    const { headers, text } = await get("/inbox/x%0d%0aset-cookie:%20a=b", html);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(text).not.toContain("a=b");
  });

  it("may be opened by a link from elsewhere, but not framed, fetched or posted to from there", async () => {
    const from = (headers: Record<string, string>, method = "GET") =>
      get("/inbox/abc", { ...html, "sec-fetch-site": "cross-site", ...headers }, method);
    expect((await from({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" })).status).toBe(200);
    expect((await from({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" })).status).toBe(403);
    expect((await from({ "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" })).status).toBe(403);
    expect((await from({ "sec-fetch-mode": "cors", origin: "https://evil.example" })).status).toBe(403);
    const data = await get("/api/approvals", {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
      authorization: "Bearer token-all",
    });
    expect(data.status).toBe(403);
    expect((await get("/", { host: "evil.example" })).status).toBe(403);
  });
});

describe("a server without built pages", () => {
  it("says at / how to build them", async () => {
    await using server = await startTestServer({
      routes: allRoutes,
      site: createSite(loadSite(join(tmpdir(), "toolgate-no-such-folder"))),
    });
    const { status, text, headers } = await ask(`${server.url}/`);
    expect([status, headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(text).toContain("npm run build");
    expect((await ask(`${server.url}/assets/x.js`)).status).toBe(404);
  });

  it("has none at all where the console is switched off", async () => {
    await using server = await startTestServer({ routes: allRoutes });
    expect((await ask(`${server.url}/`, { headers: html })).status).toBe(404);
  });
});
