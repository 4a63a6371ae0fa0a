/** What a server behind the gate may try during a call that was let through to it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PlacedUpstream } from "../../src/config/settings/upstream-settings.ts";
import { textOf } from "../../src/core/call/content.ts";
import type { ElicitRequest } from "../../src/core/call/elicit.ts";
import { processorMs } from "../processor-time.ts";
import type { Opened } from "../unit/sources/upstream/upstream-world.ts";
import { startedFrom, useUpstreams } from "./upstream-programs.ts";

const anything = { type: "object" };
const acts = ["env", "questions", "open", "noise", "result"].map((name) => ({ name, inputSchema: anything }));

const held = useUpstreams();
afterEach(() => vi.unstubAllEnvs());

function entry(definitions: string, transport: object = {}): PlacedUpstream {
  const file = join(held.world.folder, "hostile.json");
  writeFileSync(file, definitions);
  return held.world.entry("evil", {
    transport: { ...startedFrom("hostile-upstream.mjs", file), ...transport },
  });
}

const open = (transport: object = {}) => held.world.open([entry(JSON.stringify(acts), transport)]);

async function said(
  opened: Opened,
  tool: string,
  input: object = {},
  elicit?: (request: ElicitRequest) => unknown,
) {
  const outcome = await opened.gate.dispatch({
    tool: `evil__${tool}`,
    input,
    ...(elicit && { elicit: async (request) => elicit(request) as never }),
  });
  return textOf(outcome.result);
}

describe("a hostile server", () => {
  it("is given no variable that it was not promised", async () => {
    const secrets = [
      "TOOLGATE_TOKEN",
      "AWS_SECRET_ACCESS_KEY",
      "SSH_AUTH_SOCK",
      "NODE_OPTIONS",
      "OPENAI_API_KEY",
    ];
    for (const name of secrets) vi.stubEnv(name, name === "NODE_OPTIONS" ? "--no-warnings" : "value-of-it");
    vi.stubEnv("PROMISED", "promised");
    const env = JSON.parse(await said(await open({ envPass: ["PROMISED"] }), "env"));
    for (const name of secrets) expect(env).not.toHaveProperty(name);
    expect(env.PROMISED).toBe("promised");
  });

  it("gives none of its secrets away in the words of an error", async () => {
    vi.stubEnv("PASSED_ON", "passed-on-value");
    const opened = await open({ env: { PLAIN: "plain-looking value" }, envPass: ["PASSED_ON"] });
    const message = "I was started with plain-looking value and passed-on-value";
    const outcome = await opened.call("evil__result", { json: `"error":{"code":1,"message":"${message}"}` });
    expect(outcome.ok === false && outcome.error.message).toContain("I was started with");
    expect(textOf(outcome.result)).not.toMatch(/plain-looking|passed-on-value/);
  });

  it("gets nothing but polite answers to what it asks for, and reaches no call but its own", async () => {
    const opened = await open();
    expect(JSON.parse(await said(opened, "noise"))).toEqual(["ok", -32601, -32601, -32601, -32602]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    // The answer that came twice is no answer to the next call.
    expect(await said(opened, "questions", { many: 0 })).toBe("[]");
    expect(opened.open.upstreams.status()[0]).toMatchObject({ state: "ready", running: 0 });
  });

  it("cannot bury a person under questions, all at once or one after the other", async () => {
    const opened = await open();
    let asked = 0;
    const answer = () => {
      asked++;
      return { action: "accept", content: {} };
    };
    const late = () => new Promise((resolve) => setTimeout(() => resolve(answer()), 200));
    const atOnce = JSON.parse(await said(opened, "questions", { many: 30, atOnce: true }, late));
    expect(asked).toBe(5);
    expect(atOnce.filter((one: string) => one === "decline")).toHaveLength(25);
    asked = 0;
    const inTurn = JSON.parse(await said(opened, "questions", { many: 200 }, answer));
    expect(asked).toBe(50);
    expect(inTurn.filter((one: string) => one === "decline")).toHaveLength(150);
  });

  it.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "vscode://evil/run",
    "data:text/html,<script>",
    "https://accounts.example.com@evil.example/",
    "//evil.example",
    "",
  ])("cannot have a client open %j", async (url) => {
    const shown: unknown[] = [];
    const accept = (request: ElicitRequest) => {
      shown.push(request.params.url);
      return { action: "accept" };
    };
    const opened = await open();
    expect(await said(opened, "open", { link: url }, accept)).toBe("error -32602");
    expect(shown).toEqual([]);
  });

  it("may have a page opened, under an address without tricks in it", async () => {
    const shown: unknown[] = [];
    const opened = await open();
    await said(opened, "open", { link: "https://Example.com/\u202esign in" }, ({ params }) => {
      shown.push(params.url);
      return { action: "accept" };
    });
    expect(shown).toEqual(["https://example.com/%E2%80%AEsign%20in"]);
  });

  it("breaks nothing with answers that are none", async () => {
    const answers = [
      '"result":{"content":null}',
      '"result":{"content":[null,7,"x",[],{"type":"text"},{"type":"image","data":5},{"type":"resource"},{"type":"\\u001b[2J"}]}',
      '"result":{"content":[],"structuredContent":[1],"isError":"yes"}',
      '"result":{"__proto__":{"content":[{"type":"text","text":"x"}],"polluted":1}}',
      '"result":{"content":[{"type":"text","text":"x","__proto__":{"polluted":1}}],"_meta":{"__proto__":{"polluted":1}}}',
      '"result":[]',
      '"result":"x"',
      '"error":"x"',
      '"error":{"code":"x","message":{"toString":1}}',
      '"result":{},"error":{}',
      `"result":{"content":[],"structuredContent":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
      `"result":{"content":[{"type":"text","text":"x","a":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}]}`,
    ];
    const opened = await open();
    for (const json of answers) {
      const { content } = (await opened.call("evil__result", { json })).result;
      const isWhole = content.every(
        (block) =>
          typeof block.type === "string" && (block.type !== "text" || typeof block.text === "string"),
      );
      expect(isWhole, json.slice(0, 100)).toBe(true);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      expect(await said(opened, "questions", { many: 0 })).toBe("[]");
    }
  });

  it("loses only its own tools to definitions that are made to break whoever reads them", async () => {
    let deep: object = {};
    for (let depth = 0; depth < 2_000; depth++) deep = { type: "object", properties: { a: deep } };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { type: "string" }]),
    );
    const tool = (name: string, inputSchema: object) => JSON.stringify({ name, inputSchema });
    const definitions = [
      tool("good", anything),
      tool("deep", deep),
      tool("wide", { type: "object", properties: wide }),
      tool("circle", { type: "object", properties: { a: { $ref: "#" } } }),
      tool("endless", { type: "object", $ref: "#" }),
      tool("away", { type: "object", properties: { a: { $ref: "http://127.0.0.1:9/x.json" } } }),
      tool("slow", { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }),
      '{"name":"proto","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}},"__proto__":{"polluted":1}}}',
      '{"name":"__proto__","inputSchema":{"type":"object"}}',
      '{"name":"constructor","inputSchema":{"type":"object"}}',
      '{"name":{"toString":"x"},"inputSchema":{"type":"object"}}',
      '{"name":"x","inputSchema":{"type":"object"},"annotations":[],"title":{},"description":["x"]}',
      "null",
      "7",
    ];
    const startedAt = processorMs();
    const opened = await held.world.open([entry(`[${definitions.join(",")}]`)]);
    expect(opened.names()).toContain("evil__good");
    expect(processorMs() - startedAt).toBeLessThan(10_000);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    for (const id of opened.names()) {
      const input = id === "evil__slow" ? { a: `${"a".repeat(40)}!` } : {};
      await opened.gate.explain({ tool: id, input });
    }
    expect(processorMs() - startedAt).toBeLessThan(15_000);
  });
});
