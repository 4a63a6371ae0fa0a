/** Whoever tries a call leaves a record, by whichever way and however wrong the call is. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../src/core/ports/ledger-reader.ts";
import { runCheck } from "../../src/surfaces/cli/commands/check/check.ts";
import type { CliIo } from "../../src/surfaces/cli/terminal/io.ts";
import { createHookService } from "../../src/surfaces/hook/served/hook-service.ts";
import { createPermissionCheck } from "../../src/surfaces/mcp/handlers/permission-check.ts";
import type { PermissionCheck } from "../../src/surfaces/mcp/handlers/permission-prompt.ts";
import { type CliWorld, call, createCliWorld } from "../unit/surfaces/cli/cli-world.ts";
import { type Endpoint, openEndpoint } from "../unit/surfaces/mcp/http/mcp-endpoint.ts";

describe("a call at the command line", () => {
  let world: CliWorld;
  beforeAll(() => {
    world = createCliWorld();
  });
  afterAll(() => world.close());

  const last = async (): Promise<LedgerEntry | undefined> => {
    const { out } = await world.run(["audit", "query", "--limit", "1", "--ndjson"]);
    return out === "" ? undefined : (JSON.parse(out) as LedgerEntry);
  };

  const ways: readonly {
    readonly name: string;
    readonly argv: readonly string[];
    readonly stdin?: string;
    readonly env?: Record<string, string>;
    readonly asked?: string;
    readonly code: string;
  }[] = [
    {
      name: "of a tool that nobody has",
      argv: ["tools", "call", "nope"],
      asked: "nope",
      code: "unknown_tool",
    },
    {
      name: "of a tool that nobody has, as JSON",
      argv: ["tools", "call", "nope", "{}", "--json"],
      asked: "nope",
      code: "unknown_tool",
    },
    {
      name: "of an upstream's tool that nobody has",
      argv: ["tools", "call", "server__tool"],
      asked: "server__tool",
      code: "unknown_tool",
    },
    {
      name: "with an input that is not JSON",
      argv: ["tools", "call", "fs.read", "{path"],
      asked: "fs.read",
      code: "bad_call",
    },
    {
      name: "with an input that is no object",
      argv: ["tools", "call", "fs.read", "7"],
      asked: "fs.read",
      code: "bad_call",
    },
    {
      name: "with an input that does not fit",
      argv: ["tools", "call", "fs.read", '{"path":7}'],
      asked: "fs.read",
      code: "invalid_input",
    },
    {
      name: "with an empty standard input",
      argv: ["tools", "call", "fs.read", "-"],
      asked: "fs.read",
      code: "bad_call",
    },
    {
      name: "of a category that is off",
      argv: ["tools", "call", "fs.write", '{"path":"x","content":"y"}'],
      asked: "fs.write",
      code: "category_disabled",
    },
    {
      name: "that an agent wants to approve itself",
      argv: ["tools", "call", "fs.delete", '{"path":"x"}', "--yes"],
      env: { CLAUDECODE: "1" },
      asked: "fs.delete",
      code: "no_approver",
    },
    {
      name: "with a wrong option",
      argv: ["tools", "call", "fs.stat", "{}", "--wait", "soon"],
      asked: "fs.stat",
      code: "bad_call",
    },
    {
      name: "under a configuration that cannot be used",
      argv: ["tools", "call", "fs.list", "{}", "--config", "broken.yaml"],
      asked: "fs.list",
      code: "internal_error",
    },
    { name: "to check that is not JSON", argv: ["check"], stdin: "{", code: "bad_call" },
    { name: "to check that is empty", argv: ["check"], stdin: "", code: "bad_call" },
    { name: "to check without a tool", argv: ["check"], stdin: '{"tool_input":{}}', code: "bad_call" },
    {
      name: "to check under a configuration that cannot be used",
      argv: ["check", "--config", "broken.yaml"],
      stdin: call("Bash", { command: "pwd" }),
      asked: "Bash",
      code: "internal_error",
    },
  ];

  for (const { name, argv, stdin = "", env = {}, asked = "(no name)", code } of ways) {
    it(`${name} leaves a record`, async () => {
      world.file("broken.yaml", "policies: 7\n");
      const before = (await last())?.seq ?? 0;
      const ran = await world.run(argv, { stdin, env });
      expect(ran.code).not.toBe(0);
      const entry = await last();
      expect(entry?.seq).toBeGreaterThan(before);
      expect(entry?.body).toMatchObject({ askedFor: asked, code, ok: false, verdict: "deny" });
    });
  }

  it("to check of an agent that is not known leaves a record, as its hook would start it", async () => {
    const io = {
      readStdin: async () => call("Bash", { command: "ls" }),
      env: { HOME: world.home },
      cwd: world.root,
      err: () => {},
    };
    expect(await runCheck({ agent: "other" }, io as unknown as CliIo)).toBe(2);
    expect((await last())?.body).toMatchObject({ askedFor: "Bash", code: "bad_call", verdict: "deny" });
  });

  it("to check of a tool that no rule knows leaves a record, too", async () => {
    const before = (await last())?.seq ?? 0;
    await world.run(["check"], { stdin: call("NeverHeardOf", { a: 1 }) });
    const entry = await last();
    expect(entry?.seq).toBeGreaterThan(before);
    expect(entry?.body).toMatchObject({ askedFor: "NeverHeardOf", kind: "check" });
  });
});

describe("a call over the network", () => {
  let endpoint: Endpoint;
  let closeMore: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closeMore) await close();
    closeMore = [];
    await endpoint.server.close();
  });

  async function open(limits: { readonly maxPerMinute?: number } = {}): Promise<void> {
    let check: PermissionCheck | undefined;
    const permissionPrompt: PermissionCheck = (asked, how) => check!(asked, how);
    endpoint = await openEndpoint({ mcp: { permissionPrompt }, limits });
    const { store, config } = endpoint.server.parts;
    const prompt = createPermissionCheck({ config: config.current, store, attended: true });
    check = prompt.check;
    const env = { HOME: endpoint.server.folder, XDG_STATE_HOME: `${endpoint.server.folder}/state` };
    const hooks = createHookService({ store, env, tell: () => {} });
    Object.assign(endpoint.server.parts, { hooks });
    closeMore = [() => prompt[Symbol.asyncDispose](), () => hooks.close()];
  }

  const newest = async () => {
    const { entries } = await endpoint.server.parts.store.ledger.query({}, { limit: 1 });
    return entries[0]?.body;
  };

  const post = (path: string, body: string, token = "token-all", type = "application/json") =>
    endpoint.server.ask(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type },
      body,
    });

  const rest: readonly [string, string, string, string, object][] = [
    ["of a tool that nobody has", "nope", "{}", "token-call", { askedFor: "nope", code: "unknown_tool" }],
    [
      "without the right",
      "math_add",
      "{}",
      "token-read",
      { askedFor: "math_add", code: "missing_capability" },
    ],
    [
      "with a body that is not JSON",
      "math_add",
      "{",
      "token-call",
      { askedFor: "math_add", code: "bad_call" },
    ],
    ["with unknown fields", "math_add", '{"x":1}', "token-call", { askedFor: "math_add", code: "bad_call" }],
    ["with an input that is a list", "math_add", '{"input":[]}', "token-call", { askedFor: "math_add" }],
    ["with equal keys", "math_add", '{"input":{},"input":{}}', "token-call", { askedFor: "math_add" }],
  ];
  it.each(rest)("by REST %s leaves a record with its caller", async (_, tool, body, token, expected) => {
    await open();
    await (await post(`/api/tools/${tool}/call`, body, token)).text();
    expect(await newest()).toMatchObject({ ...expected, ok: false, caller: token, surface: "http" });
  });

  it("by REST with a query, or a body of another kind, leaves a record", async () => {
    await open();
    await (await post("/api/tools/one/call?x=1", "{}")).text();
    expect(await newest()).toMatchObject({ askedFor: "one", code: "bad_call" });
    await (await post("/api/tools/two/call", "x", "token-all", "text/plain")).text();
    expect(await newest()).toMatchObject({ askedFor: "two", code: "bad_call" });
  });

  it("without a token leaves none: strangers do not fill the disk", async () => {
    await open();
    await (await post("/api/tools/math_add/call", "{}", "nobody")).text();
    expect(await newest()).toBeUndefined();
  });

  it("of a token without the right leaves no more records than its limit of requests", async () => {
    // So few a minute that the limit is met however long the requests take.
    await open({ maxPerMinute: 30 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await post("/api/tools/math_add/call", "{}", "token-read");
        await answer.text();
        return answer.status;
      }),
    );
    const { calls } = await endpoint.server.parts.store.ledger.stats();
    expect(statuses).toContain(429);
    expect(calls).toBe(statuses.filter((status) => status === 403).length);
  });

  const mcp: readonly [string, unknown, object][] = [
    [
      "of a tool that nobody has",
      { name: "nope", arguments: {} },
      { askedFor: "nope", code: "unknown_tool" },
    ],
    ["without a name", { arguments: {} }, { askedFor: "(no name)", code: "bad_call" }],
    ["whose name is a number", { name: 7 }, { askedFor: "(no name)", code: "bad_call" }],
    [
      "whose arguments are a list",
      { name: "math_add", arguments: [1] },
      { askedFor: "math_add", code: "bad_call" },
    ],
    [
      "whose arguments are a text",
      { name: "math_add", arguments: "x" },
      { askedFor: "math_add", code: "bad_call" },
    ],
    [
      "whose arguments are null",
      { name: "math_add", arguments: null },
      { askedFor: "math_add", code: "bad_call" },
    ],
    [
      "for permission without an input",
      { name: "permission_prompt", arguments: { tool_name: "Bash" } },
      { askedFor: "Bash", code: "bad_call", kind: "check" },
    ],
    [
      "for permission of nothing",
      { name: "permission_prompt", arguments: { input: {} } },
      { askedFor: "(no name)", code: "bad_call", kind: "check" },
    ],
    [
      "for permission, whose arguments are none",
      { name: "permission_prompt", arguments: 7 },
      { askedFor: "(no name)", code: "bad_call", kind: "check" },
    ],
  ];
  it.each(mcp)("by MCP %s leaves a record with its caller", async (_, params, expected) => {
    await open();
    const session = await endpoint.begin();
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const text = await (await endpoint.post(message, { "mcp-session-id": session })).text();
    expect(text).toContain('"error"');
    expect(await newest()).toMatchObject({ ...expected, ok: false, verdict: "deny", caller: "token-all" });
  });

  const hook: readonly [string, string, string, object][] = [
    ["that is not JSON", "{", "token-call", { askedFor: "(no name)", code: "bad_call" }],
    ["without a tool", "{}", "token-call", { askedFor: "(no name)", code: "bad_call" }],
    ["without the right", "{}", "token-read", { askedFor: "(no name)", code: "missing_capability" }],
  ];
  it.each(hook)(
    "by the hook's route %s leaves a record with its caller",
    async (_, body, token, expected) => {
      await open();
      await (await post("/api/hook/claude-code", body, token)).text();
      expect(await newest()).toMatchObject({ ...expected, kind: "check", caller: token });
    },
  );
});
