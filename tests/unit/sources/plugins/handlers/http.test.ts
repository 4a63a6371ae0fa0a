// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how plugin files name variables
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { prepareHttp } from "../../../../../src/sources/plugins/handlers/http.ts";
import { isPrepared } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import { serveHttp } from "../../../safe/net/safe-fetch-servers.ts";
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

function problems(handler: object, schema = texts("id"), place: object = {}) {
  const prepared = prepareHttp({ type: "http", url: "https://a.test/", ...handler }, schema, {
    ...placeIn("/plugins"),
    ...place,
  });
  return isPrepared(prepared) ? [] : prepared.map(({ field, message }) => `${field}: ${message}`);
}

describe("an http handler", () => {
  it("posts the arguments that the URL does not use as JSON", async () => {
    const { base, seen } = await server(json({ ok: true }));
    const { call, text } = await pluginGate(
      [
        {
          name: "make",
          inputSchema: {
            type: "object",
            properties: {
              id: { type: "string" },
              n: { type: "number" },
              tag: { type: "string", default: "x" },
            },
          },
          handler: http(`${base}/items/{{id}}`, { headers: { "X-Team": "blue" } }),
        },
      ],
      open,
    );
    expect(await text("make", { id: "a b", n: 1 })).toBe('{"ok":true}');
    expect(seen[0]).toMatchObject({ method: "POST", url: "/items/a%20b", body: '{"n":1,"tag":"x"}' });
    expect(seen[0]?.headers).toMatchObject({ "content-type": "application/json", "x-team": "blue" });
    expect(await call("make", { id: "c" })).toMatchObject({ value: { ok: true } });
  });

  it("puts them behind the query where there is no body", async () => {
    const { base, seen } = await server(json([1]));
    const schema = {
      type: "object",
      properties: { id: { type: "string" }, tags: { type: "array" }, none: {}, deep: {} },
    };
    const { call, failure } = await pluginGate(
      ["GET", "DELETE", "HEAD"].map((method) => ({
        name: method.toLowerCase(),
        inputSchema: schema,
        handler: http(`${base}/x?v=1%20&q={{id}}`, { method }),
      })),
      open,
    );
    for (const tool of ["get", "delete", "head"])
      expect((await call(tool, { id: "a&b", tags: ["x", "y z"], none: null })).ok).toBe(true);
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      "GET /x?v=1%20&q=a%26b&tags=x&tags=y%20z ",
      "DELETE /x?v=1%20&q=a%26b&tags=x&tags=y%20z ",
      "HEAD /x?v=1%20&q=a%26b&tags=x&tags=y%20z ",
    ]);
    expect(await failure("get", { id: "a", deep: { a: 1 } })).toMatchObject({ code: "invalid_input" });
    expect(await failure("get", { id: "a", v: "2" })).toMatchObject({
      code: "invalid_input",
      message: /fixed by the tool's URL/,
    });
    expect((await call("get", { id: "a" })).result.structured).toEqual({ value: [1] });
  });

  it("tells a failure with its status and the start of what the server said", async () => {
    const { base } = await server((_, response) => {
      response.statusCode = 404;
      response.end(`no such item ${"x".repeat(5_000)}`);
    });
    const { failure } = await pluginGate(
      [{ name: "get", inputSchema: texts(), handler: http(`${base}/x`, { method: "GET" }) }],
      open,
    );
    const { code, message, inner } = await failure("get", {});
    expect({ code, inner }).toEqual({ code: "tool_failed", inner: 404 });
    expect(message).toMatch(/^127\.0\.0\.1:\d+ answered HTTP 404\.\nno such item x+…$/);
    expect(message.length).toBeLessThan(2_100);
  });

  it("shows text as text, says what is no text, and what is empty", async () => {
    const { base } = await server(({ url }, response) => {
      if (url === "/png")
        response.setHeader("content-type", "image/png").end(Buffer.from("89504e470d0a1a0a", "hex"));
      else if (url === "/nul") response.end(Buffer.from([1, 0, 2]));
      else if (url === "/none") response.writeHead(204).end();
      else if (url === "/bad") response.setHeader("content-type", "application/json").end("{broken");
      else
        response
          .setHeader("content-type", "text/plain; charset=latin1")
          .end(Buffer.from("gr\xfcn", "latin1"));
    });
    const { text, failure, call } = await pluginGate(
      [{ name: "get", inputSchema: texts("id"), handler: http(`${base}/{{id}}`, { method: "GET" }) }],
      open,
    );
    expect(await text("get", { id: "t" })).toBe("grün");
    expect(await failure("get", { id: "png" })).toMatchObject({ inner: "not_text", message: /image\/png/ });
    expect(await failure("get", { id: "nul" })).toMatchObject({ inner: "not_text" });
    expect(await text("get", { id: "none" })).toBe("(HTTP 204, no content)");
    const broken = await call("get", { id: "bad" });
    expect([broken.ok, broken.result.structured]).toEqual([true, undefined]);
  });

  it("fills headers with declared variables, and takes them out of what comes back", async () => {
    const { base, seen } = await server(({ headers }, response) =>
      response.end(`you sent ${headers.authorization}`),
    );
    const handler = http(`${base}/x`, { method: "GET", headers: { Authorization: "Bearer ${MY_TOKEN}" } });
    const { text } = await pluginGate([{ name: "get", inputSchema: texts(), handler }], {
      ...open,
      env: { MY_TOKEN: "tok-123456" },
    });
    expect(await text("get", {})).toBe("you sent Bearer [redacted:known-secret]");
    expect(seen[0]?.headers.authorization).toBe("Bearer tok-123456");
  });

  it("leaves words in the answer that are in a header but are no secret", async () => {
    const { base } = await server((_, response) => response.end("production"));
    const handler = http(`${base}/x`, {
      method: "GET",
      headers: { "X-Stage": "${STAGE}", "X-B": "${MY_KEY}" },
    });
    const { text } = await pluginGate([{ name: "get", inputSchema: texts(), handler }], {
      ...open,
      env: { STAGE: "production", MY_KEY: "not-in-it" },
    });
    expect(await text("get", {})).toBe("production");
  });

  it("says which variable is missing instead of asking without it", async () => {
    const { base, connections } = await server(json({}));
    const handler = http(`${base}/x`, { headers: { Authorization: "Bearer ${MY_TOKEN}" } });
    const { failure } = await pluginGate([{ name: "get", inputSchema: texts(), handler }], {
      ...open,
      declared: ["MY_TOKEN"],
    });
    expect(await failure("get", {})).toMatchObject({ inner: "missing_variable", message: /MY_TOKEN/ });
    expect(connections()).toBe(0);
  });

  it("is tried again for a busy server, not for a wrong request", async () => {
    const statuses = [503, 200, 404, 200];
    const { base, seen } = await server((_, response) =>
      response.writeHead(statuses.shift() ?? 200).end("ok"),
    );
    const { text, failure } = await pluginGate(
      [
        {
          name: "get",
          inputSchema: texts(),
          handler: http(`${base}/x`, { method: "GET" }),
          idempotent: true,
          maxRetries: 2,
        },
      ],
      open,
    );
    expect(await text("get", {})).toBe("ok");
    expect(await failure("get", {})).toMatchObject({ inner: 404 });
    expect(seen).toHaveLength(3);
  });
});

describe("what rules see of an http handler", () => {
  const schema = texts("id", "path?");
  const explain = async (handler: object, input: object, policies: object[]) => {
    const { gate } = await pluginGate(
      [{ name: "t", inputSchema: schema, handler: http("", handler) }],
      {},
      { policies: policies as never },
    );
    const { verdict, rule } = await gate.explain({ tool: "t", input });
    return `${verdict} ${rule?.name}`;
  };
  const deny = (operator: string, value: string) => [
    { name: "yes", tools: "*", action: "approve" },
    { name: "no", tools: "*", action: "deny", priority: 5, conditions: [{ type: "url", operator, value }] },
  ];

  it("is the whole URL that will be asked for", async () => {
    expect(await explain({ url: "https://a.test/x/{{id}}" }, { id: "7" }, deny("inside", "a.test"))).toBe(
      "deny no",
    );
    expect(await explain({ url: "https://a.test/x/{{id}}" }, { id: "7" }, deny("contains", "/x/7"))).toBe(
      "deny no",
    );
    expect(await explain({ url: "https://a.test/x/{{id}}" }, { id: "8" }, deny("contains", "/x/7"))).toBe(
      "allow yes",
    );
    expect(
      await explain({ url: "{{id}}/health" }, { id: "http://evil.test" }, deny("inside", "evil.test")),
    ).toBe("deny no");
    expect(
      await explain(
        { url: "https://a.test/", method: "GET" },
        { id: "secret" },
        deny("contains", "id=secret"),
      ),
    ).toBe("deny no");
  });

  it("asks by default, because it uses the network; a field called path is the API's", async () => {
    expect(
      await explain({ url: "https://a.test/x/{{id}}", method: "GET" }, { id: "7", path: "/etc/passwd" }, []),
    ).toBe("ask ask");
    expect(
      await explain({ url: "https://a.test/x/{{id}}" }, { id: "7", path: "/etc" }, [
        { name: "yes", tools: "t", action: "approve" },
      ]),
    ).toBe("allow yes");
  });

  it("counts GET and HEAD as reading and everything else as writing", () => {
    const permission = (method?: string) => {
      const prepared = prepareHttp(
        http("https://a.test/", method === undefined ? {} : { method }),
        texts(),
        placeIn("/p"),
      );
      return isPrepared(prepared) ? prepared.permission : undefined;
    };
    expect([undefined, "GET", "head", "POST", "PUT", "PATCH", "DELETE"].map(permission)).toEqual([
      "write",
      "read",
      "read",
      "write",
      "write",
      "write",
      "write",
    ]);
  });
});

describe("when it is loaded, an http handler", () => {
  it("is refused with the field that is wrong", () => {
    expect(problems({ method: "TRACE" })).toEqual([expect.stringMatching(/^method: .*GET/)]);
    expect(problems({ timeout: -1 })).toEqual([expect.stringMatching(/^timeout: /)]);
    expect(problems({ maxBytes: "1" })).toEqual([expect.stringMatching(/^maxBytes: /)]);
    expect(problems({ url: "https://{{id}}/" })).toEqual([
      expect.stringMatching(/^url: \{\{id\}\} stands in the host/),
    ]);
  });

  it("may name only variables that the file declares", () => {
    const header = (value: string, place: object = {}) =>
      problems({ headers: { "X-Key": value } }, texts(), place);
    expect(header("${KEY}")).toEqual([
      expect.stringMatching(/^headers\.X-Key: \$\{KEY\} is not among the variables/),
    ]);
    expect(header("${KEY}", { declared: ["KEY"] })).toEqual([]);
    expect(header("${KEY}", { env: { KEY: "k" } })).toEqual([]);
    expect(header("${TOOLGATE_TOKEN}", { env: { TOOLGATE_TOKEN: "k" } })).toEqual([
      expect.stringMatching(/belongs to toolgate/),
    ]);
    expect(header("${constructor}")).toHaveLength(1);
    expect(header("${KEY:-x}", { env: { KEY: "k" } })).toEqual([
      expect.stringMatching(/does not name a variable/),
    ]);
    expect(header("${KEY", { env: { KEY: "k" } })).toEqual([expect.stringMatching(/never closed/)]);
    expect(header("{{id}}")).toEqual([expect.stringMatching(/cannot hold a placeholder/)]);
  });

  it("may not break or take over the request by its headers", () => {
    const headers = (given: object, place: object = {}) => problems({ headers: given }, texts(), place);
    expect(headers({ "X-A": "a\r\nHost: evil" })).toEqual([
      expect.stringMatching(/^headers\.X-A: .*HTTP forbids/),
    ]);
    const broken = headers({ "X-A": "${KEY}" }, { env: { KEY: "secret\r\nHost: evil" } });
    expect(broken).toEqual([expect.stringMatching(/^headers\.X-A: .*HTTP forbids/)]);
    expect(broken.join()).not.toContain("secret");
    for (const name of ["Host", "content-length", "Transfer-Encoding", "Proxy-Authorization", "a b", ""])
      expect(headers({ [name]: "x" }), name).toHaveLength(1);
    expect(headers({ "X-A": "1", "x-a": "2" })).toEqual([expect.stringMatching(/^headers: .*twice/)]);
    expect(headers({ "X-A": 7 })).toEqual([expect.stringMatching(/must be text/)]);
  });

  it("may not send a variable to a host that the caller chooses", () => {
    const headers = { Authorization: "${KEY}" };
    expect(problems({ url: "{{id}}/health", headers }, texts("id"), { env: { KEY: "k" } })).toEqual([
      expect.stringMatching(/^headers\.Authorization: The caller chooses the host/),
    ]);
    for (const name of ["Authorization", "cookie", "X-Api-Key", "Private-Token"])
      expect(problems({ url: "{{id}}/health", headers: { [name]: "written out" } }), name).toHaveLength(1);
    expect(problems({ url: "{{id}}/health", headers: { Accept: "text/plain" } })).toEqual([]);
  });
});
