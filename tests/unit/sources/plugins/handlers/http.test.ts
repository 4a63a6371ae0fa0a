// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how plugin files name variables
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { prepareHttp } from "../../../../../src/sources/plugins/handlers/http.ts";
import { isPrepared } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import { serveHttp } from "../../../safe/net/safe-fetch-servers.ts";
import { rule } from "../../rule.ts";
import { because } from "../../stopped.ts";
import { placeIn, pluginGate, texts } from "./plugin-gate.ts";

const http = (url: string, more: object = {}) => ({ type: "http" as const, url, ...more });

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Keeps what it was asked and answers as told. */
async function server(answer: (seen: Seen, response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const running = await serveHttp(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    seen.push(one);
    answer(one, response);
  });
  onTestFinished(() => running.close());
  return { base: `http://127.0.0.1:${running.port}`, seen, connections: running.connections };
}

const json = (value: unknown) => (_: Seen, response: ServerResponse) => {
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify(value));
};

const open = { allowPrivate: true };
/** A tool that asks for this URL, by GET unless it says otherwise. */
const get = (url: string, more: object = {}, inputSchema = texts(), name = "get") => ({
  name,
  inputSchema,
  handler: http(url, { method: "GET", ...more }),
});

function problems(handler: object, schema = texts("id"), place: object = {}) {
  const where = { ...placeIn("/plugins"), ...place };
  const prepared = prepareHttp({ type: "http", url: "https://a.test/", ...handler }, schema, where);
  return isPrepared(prepared) ? [] : prepared.map(({ field, message }) => `${field}: ${message}`);
}

describe("an http handler", () => {
  it("posts the arguments that the URL does not use as JSON", async () => {
    const { base, seen } = await server(json({ ok: true }));
    const properties = {
      id: { type: "string" },
      n: { type: "number" },
      tag: { type: "string", default: "x" },
    };
    const handler = http(`${base}/items/{{id}}`, { headers: { "X-Team": "blue" } });
    const make = { name: "make", inputSchema: { type: "object", properties }, handler };
    const { data, text } = await pluginGate([make], open);
    expect(await text("make", { id: "a b", n: 1 })).toBe('{"ok":true}');
    expect(seen[0]).toMatchObject({ method: "POST", url: "/items/a%20b", body: '{"n":1,"tag":"x"}' });
    expect(seen[0]?.headers).toMatchObject({ "content-type": "application/json", "x-team": "blue" });
    expect(await data("make", { id: "c" })).toEqual({ ok: true });
  });

  it("puts them behind the query where there is no body", async () => {
    const { base, seen } = await server(json([1]));
    const properties = { id: { type: "string" }, tags: { type: "array" }, none: {}, deep: {} };
    const methods = ["GET", "DELETE", "HEAD"];
    const tools = methods.map((method) =>
      get(`${base}/x?v=1%20&q={{id}}`, { method }, { type: "object", properties }, method.toLowerCase()),
    );
    const { call, failure } = await pluginGate(tools, open);
    for (const tool of ["get", "delete", "head"])
      expect((await call(tool, { id: "a&b", tags: ["x", "y z"], none: null })).ok).toBe(true);
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual(
      methods.map((method) => `${method} /x?v=1%20&q=a%26b&tags=x&tags=y%20z `),
    );
    expect(await failure("get", { id: "a", deep: { a: 1 } })).toMatchObject({ code: "invalid_input" });
    const fixed = because("invalid_input", /fixed by the tool's URL/);
    expect(await failure("get", { id: "a", v: "2" })).toMatchObject(fixed);
    expect((await call("get", { id: "a" })).result.structured).toEqual({ value: [1] });
  });

  it("tells a failure with its status and the start of what the server said", async () => {
    const { base } = await server((_, response) =>
      response.writeHead(404).end(`no such item ${"x".repeat(5_000)}`),
    );
    const { failure } = await pluginGate([get(`${base}/x`)], open);
    const { code, message, inner } = await failure("get", {});
    expect({ code, inner }).toEqual({ code: "tool_failed", inner: 404 });
    expect(message).toMatch(/^127\.0\.0\.1:\d+ answered HTTP 404\.\nno such item x+…$/);
    expect(message.length).toBeLessThan(2_100);
  });

  it("shows text as text, says what is no text, and what is empty", async () => {
    const answers: Record<string, [type: string, body: Buffer | string]> = {
      "/t": ["text/plain; charset=latin1", Buffer.from("gr\xfcn", "latin1")],
      "/png": ["image/png", Buffer.from("89504e470d0a1a0a", "hex")],
      "/nul": ["", Buffer.from([1, 0, 2])],
      "/bad": ["application/json", "{broken"],
    };
    const { base } = await server(({ url }, response) => {
      const [type, body] = answers[url] ?? ["", ""];
      if (type !== "") response.setHeader("content-type", type);
      response.writeHead(body === "" ? 204 : 200).end(body);
    });
    const { text, failure, call } = await pluginGate([get(`${base}/{{id}}`, {}, texts("id"))], open);
    expect(await text("get", { id: "t" })).toBe("grün");
    const png = { inner: "not_text", message: expect.stringMatching(/image\/png/) };
    expect(await failure("get", { id: "png" })).toMatchObject(png);
    expect(await failure("get", { id: "nul" })).toMatchObject({ inner: "not_text" });
    expect(await text("get", { id: "none" })).toBe("(HTTP 204, no content)");
    const broken = await call("get", { id: "bad" });
    expect([broken.ok, broken.result.structured]).toEqual([true, undefined]);
  });

  it("fills headers with declared variables, and takes them out of what comes back", async () => {
    const { base, seen } = await server(({ headers }, response) =>
      response.end(`you sent ${headers.authorization}`),
    );
    const tool = get(`${base}/x`, { headers: { Authorization: "Bearer ${MY_TOKEN}" } });
    const { text } = await pluginGate([tool], { ...open, env: { MY_TOKEN: "tok-123456" } });
    expect(await text("get", {})).toBe("you sent Bearer [redacted:known-secret]");
    expect(seen[0]?.headers.authorization).toBe("Bearer tok-123456");
  });

  it("leaves words in the answer that are in a header but are no secret", async () => {
    const { base } = await server((_, response) => response.end("production"));
    const tool = get(`${base}/x`, { headers: { "X-Stage": "${STAGE}", "X-B": "${MY_KEY}" } });
    const env = { STAGE: "production", MY_KEY: "not-in-it" };
    expect(await (await pluginGate([tool], { ...open, env })).text("get", {})).toBe("production");
  });

  it("says which variable is missing instead of asking without it", async () => {
    const { base, connections } = await server(json({}));
    const tool = get(`${base}/x`, { headers: { Authorization: "Bearer ${MY_TOKEN}" } });
    const { failure } = await pluginGate([tool], { ...open, declared: ["MY_TOKEN"] });
    const missing = { inner: "missing_variable", message: expect.stringMatching(/MY_TOKEN/) };
    expect(await failure("get", {})).toMatchObject(missing);
    expect(connections()).toBe(0);
  });

  it("is tried again for a busy server, not for a wrong request", async () => {
    const statuses = [503, 200, 404, 200];
    const { base, seen } = await server((_, response) =>
      response.writeHead(statuses.shift() ?? 200).end("ok"),
    );
    const tool = { ...get(`${base}/x`), idempotent: true, maxRetries: 2 };
    const { text, failure } = await pluginGate([tool], open);
    expect(await text("get", {})).toBe("ok");
    expect(await failure("get", {})).toMatchObject({ inner: 404 });
    expect(seen).toHaveLength(3);
  });
});

describe("what rules see of an http handler", () => {
  const deny = (operator: string, value: string) => [
    rule("approve", "*", [], { name: "yes" }),
    rule("deny", "*", [["url", operator, value]], { name: "no", priority: 5 }),
  ];
  const item = { url: "https://a.test/x/{{id}}" };
  const approve = [rule("approve", "t", [], { name: "yes" })];
  it.for([
    ["the host", item, { id: "7" }, deny("inside", "a.test"), "deny no"],
    ["the path", item, { id: "7" }, deny("contains", "/x/7"), "deny no"],
    ["no other path", item, { id: "8" }, deny("contains", "/x/7"), "allow yes"],
    [
      "a host of the caller's",
      { url: "{{id}}/health" },
      { id: "http://evil.test" },
      deny("inside", "evil.test"),
      "deny no",
    ],
    [
      "the query",
      { url: "https://a.test/", method: "GET" },
      { id: "secret" },
      deny("contains", "id=secret"),
      "deny no",
    ],
    ["that it uses the network", { ...item, method: "GET" }, { id: "7", path: "/etc/passwd" }, [], "ask ask"],
    ["no file in a field called path", item, { id: "7", path: "/etc" }, approve, "allow yes"],
  ] as const)("is %s", async ([, handler, input, policies, expected]) => {
    const tool = { name: "t", inputSchema: texts("id", "path?"), handler: http("", handler) };
    const { gate } = await pluginGate([tool], {}, { policies: [...policies] });
    const { verdict, rule: by } = await gate.explain({ tool: "t", input });
    expect(`${verdict} ${by?.name}`).toBe(expected);
  });

  it.for([
    ["read", "GET"],
    ["read", "head"],
    ["write", undefined],
    ["write", "POST"],
    ["write", "PUT"],
    ["write", "PATCH"],
    ["write", "DELETE"],
  ] as const)("is that it may %s where the method is %s", ([permission, method]) => {
    const handler = http("https://a.test/", method === undefined ? {} : { method });
    expect(prepareHttp(handler, texts(), placeIn("/p"))).toMatchObject({ permission });
  });
});

describe("when it is loaded, an http handler", () => {
  const at = (url: string, headers: object, place: object = {}) =>
    problems({ url, headers }, texts("id"), place);
  const headers = (given: object, place: object = {}) => problems({ headers: given }, texts(), place);
  const key = (value: string, place: object = {}) => headers({ "X-Key": value }, place);
  const env = { KEY: "k" };
  const broken = headers({ "X-A": "${KEY}" }, { env: { KEY: "secret\r\nHost: evil" } });
  it.for([
    ["another method", problems({ method: "TRACE" }), /^method: .*GET/],
    ["a time that is none", problems({ timeout: -1 }), /^timeout: /],
    ["a size that is none", problems({ maxBytes: "1" }), /^maxBytes: /],
    [
      "a placeholder in the host",
      problems({ url: "https://{{id}}/" }),
      /^url: \{\{id\}\} stands in the host/,
    ],
    ["an undeclared variable", key("${KEY}"), /^headers\.X-Key: \$\{KEY\} is not among the variables/],
    ["our own variable", key("${TOOLGATE_TOKEN}", { env: { TOOLGATE_TOKEN: "k" } }), /belongs to toolgate/],
    ["what objects inherit", key("${constructor}"), /^headers/],
    ["a variable with a default", key("${KEY:-x}", { env }), /does not name a variable/],
    ["a variable that does not end", key("${KEY", { env }), /never closed/],
    ["a placeholder in a header", key("{{id}}"), /cannot hold a placeholder/],
    ["a second line in a header", headers({ "X-A": "a\r\nHost: evil" }), /^headers\.X-A: .*HTTP forbids/],
    ["a second line in a variable", broken, /^headers\.X-A: .*HTTP forbids(?!.*secret)/],
    ["one header twice", headers({ "X-A": "1", "x-a": "2" }), /^headers: .*twice/],
    ["a number in a header", headers({ "X-A": 7 }), /must be text/],
    ["the header Host", headers({ Host: "x" }), /^headers/],
    ["the header content-length", headers({ "content-length": "x" }), /^headers/],
    ["the header Transfer-Encoding", headers({ "Transfer-Encoding": "x" }), /^headers/],
    ["the header Proxy-Authorization", headers({ "Proxy-Authorization": "x" }), /^headers/],
    ["a header with a blank in its name", headers({ "a b": "x" }), /^headers/],
    ["a header without a name", headers({ "": "x" }), /^headers/],
    [
      "a variable for a host that the caller chooses",
      at("{{id}}/health", { Authorization: "${KEY}" }, { env }),
      /^headers\.Authorization: The caller chooses the host/,
    ],
    ["a written key for such a host", at("{{id}}/health", { Authorization: "x" }), /^headers/],
    ["a cookie for such a host", at("{{id}}/health", { cookie: "x" }), /^headers/],
    ["an API key for such a host", at("{{id}}/health", { "X-Api-Key": "x" }), /^headers/],
    ["a private token for such a host", at("{{id}}/health", { "Private-Token": "x" }), /^headers/],
  ] as const)("is refused for %s", ([, found, message]) => {
    expect(found).toEqual([expect.stringMatching(message)]);
    expect(found.join()).not.toContain("secret");
  });

  it.for([
    ["a declared variable", key("${KEY}", { declared: ["KEY"] })],
    ["a variable that is there", key("${KEY}", { env })],
    ["a harmless header for a host that the caller chooses", at("{{id}}/health", { Accept: "text/plain" })],
  ] as const)("may have %s", ([, found]) => {
    expect(found).toEqual([]);
  });
});
