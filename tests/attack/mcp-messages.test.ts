import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/core/tool/tool.ts";
import { metaKeys } from "../../src/mcp/messages.ts";
import { createMcpServer } from "../../src/surfaces/mcp/create-mcp-server.ts";
import { createTestGate } from "../../src/testing/test-gate.ts";

interface Message {
  readonly id?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

const show = defineTool({
  id: "show.it",
  description: "Shows its input.",
  permission: "read",
  input: z.looseObject({}),
  run: (input) => JSON.stringify(input),
});

async function open() {
  const { gate, clock, ledger } = await createTestGate({ tools: [show] });
  const server = createMcpServer({ gate, clock, version: "1" });
  const heard: Message[] = [];
  const connection = server.connect({ send: (json) => heard.push(JSON.parse(json)) });
  const say = async (text: string) => {
    connection.receiveText(text);
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    return heard.at(-1) as Message;
  };
  await say(
    '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
  );
  return { say, heard, ledger };
}

const call = (args: string, id = "1") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"show_it","arguments":${args}}}`;

describe("messages made to break the server", () => {
  it("are answered when they nest two hundred thousand levels deep", async () => {
    const { say } = await open();
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    const answer = await say(call(deep));
    expect(answer.error !== undefined || answer.result?.isError === true).toBe(true);
    expect((await say(call('{"a":1}', "2"))).result?.content?.[0]?.text).toBe('{"a":1}');
  });

  it("change no prototype", async () => {
    const { say } = await open();
    await say(call('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    await say('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}');
    await say('{"jsonrpc":"2.0","id":3,"method":"__proto__","params":{}}');
    await say('{"jsonrpc":"2.0","id":4,"method":"constructor","params":{"_meta":{"__proto__":{"x":1}}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await say(call("{}", "5"))).result?.content?.[0]?.text).toBe("{}");
  });

  it.each(["1e400", "null", "true", "[]", "{}"])("get no answer under an id that is none: %s", async (id) => {
    const { say, ledger } = await open();
    const answer = await say(call("{}", id));
    expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
    expect(ledger.records()).toHaveLength(0);
  });

  it("cannot make the server answer itself", async () => {
    const { say, heard } = await open();
    const before = heard.length;
    await say('{"jsonrpc":"2.0","id":1,"result":{}}');
    await say('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}');
    await say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}');
    await say(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    );
    await say('{"jsonrpc":"2.0","method":"notifications/unknown"}');
    expect(heard).toHaveLength(before);
  });

  it("show names from outside with nothing hidden in them", async () => {
    const { say } = await open();
    const answer = await say(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm\\u202e\\u0007 x","arguments":{}}}',
    );
    expect(answer.error?.message).toContain("\\u{202E}\\u{7}");
  });

  const long = "t".repeat(257);

  it("are not repeated under an id that is longer than any client needs", async () => {
    const { say, ledger } = await open();
    const answer = await say(call("{}", JSON.stringify(long)));
    expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
    expect(ledger.records()).toHaveLength(0);
    expect((await say(call("{}", JSON.stringify(long.slice(1))))).result?.content?.[0]?.text).toBe("{}");
  });

  it.each([
    ["older", {}],
    ["modern", { [metaKeys.protocolVersion]: "2026-07-28", [metaKeys.clientCapabilities]: {} }],
  ])(
    "are refused with a progress token that is too long to be repeated with every step, %s",
    async (_era, meta) => {
      const { say, ledger } = await open();
      const withToken = (progressToken: string) =>
        say(
          JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "show_it", arguments: {}, _meta: { ...meta, progressToken } },
          }),
        );
      expect((await withToken(long)).error).toMatchObject({ code: -32602 });
      expect(ledger.records()).toHaveLength(0);
      expect((await withToken(long.slice(1))).result?.content?.[0]?.text).toBe("{}");
    },
  );
});
